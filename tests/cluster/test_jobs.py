"""What a learner relies on is real: names, GPUs, arrays, dependencies, limits, requeueing, signals, mail."""

import re
import subprocess
import time
from datetime import datetime

import pytest
from people import wait_for

pytestmark = pytest.mark.needs_slurm


def seconds_between(known: dict[str, str], first: str, second: str) -> float:
    """Between two times that ``scontrol show job`` prints, such as "SubmitTime" and "StartTime"."""
    begin, end = (datetime.fromisoformat(known[name]) for name in (first, second))
    return (end - begin).total_seconds()


def test_hello_starts_at_once(submit, finished, work):
    """Slurm's own clock, and the soonest of five: on a busy machine one takes longer, but none waits for a next look.

    Left to itself, Slurm would gather jobs that come soon after another one for three seconds.
    """
    finished(submit("--job-name=before", script="true"))
    numbers = [submit("--job-name=hello", script="srun echo hello") for _ in range(5)]
    assert min(seconds_between(finished(number), "SubmitTime", "StartTime") for number in numbers) <= 1
    assert (work / f"hello-{numbers[0]}.out").read_text() == "hello\n"


@pytest.mark.slow
def test_sbatch_wait_answers_soon_after_the_end(cluster, work, job):
    """Left to itself it would ask 2, 10 and 42 s after the submission. Jobs read the same file: theirs are as fast."""
    show = "printenv SLURM_CONF"
    argv = ["sbatch", "--wait", "--parsable", f"--output={work}/log", f"--wrap={show}; srun {show}; sleep 11"]
    number = cluster.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    answered = time.time()
    known = job(number)
    assert answered - datetime.fromisoformat(known["EndTime"]).timestamp() < 15
    assert (work / "log").read_text() == f"{cluster.env()['SLURM_CONF']}\n" * 2


def test_a_finished_job_stays_known_for_a_day(cluster):
    shown = cluster.run(["scontrol", "show", "config"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"^MinJobAge\s+= 86400 sec$", shown, re.MULTILINE)


def test_nodes_and_partitions(cluster):
    argv = ["sinfo", "--noheader", "--Node", "--format=%N %P %c %m %G"]
    lines = cluster.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == [
        "cpu1 cpu* 8 16000 (null)",
        "cpu2 cpu* 8 16000 (null)",
        "gpu1 gpu 8 32000 gpu:v100:4",
        "gpu2 gpu 8 32000 gpu:v100:4",
    ]


def test_first_host_of_the_list_resolves_inside_a_job(submit, finished, work):
    number = submit(
        "--nodes=2",
        script='MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
        'echo "$MASTER_ADDR"; getent hosts "$MASTER_ADDR"; srun --label hostname | sort',
    )
    assert finished(number)["JobState"] == "COMPLETED"
    lines = (work / f"job.sbatch-{number}.out").read_text().splitlines()
    assert lines[0] == "cpu1"
    assert lines[1].split()[1] == "cpu1"
    assert lines[2:] == ["0: cpu1", "1: cpu2"]


def test_each_node_is_told_from_the_others_by_name_and_address(cluster):
    code = "import socket; n = socket.gethostname(); print(n, socket.getfqdn(), socket.gethostbyname(n))"
    result = cluster.run(
        ["srun", "--nodes=2", "--ntasks=2", "python3", "-c", code], capture_output=True, text=True, check=True
    )
    first, second = sorted(line.split() for line in result.stdout.splitlines())
    assert first[:2] == ["cpu1", "cpu1"]
    assert second[:2] == ["cpu2", "cpu2"]
    assert first[2] != second[2]


def test_names_resolve_on_the_login_node(cluster):
    result = cluster.run(["getent", "hosts", "gpu2"], capture_output=True, text=True)
    assert result.stdout.split()[1:] == ["gpu2"]
    assert cluster.run(["hostname"], capture_output=True, text=True).stdout == "login\n"


def test_two_jobs_on_one_node_get_different_gpus(submit, finished, work):
    # Each waits until both run.
    script = (
        'echo "$CUDA_VISIBLE_DEVICES"; touch "runs-$SLURM_JOB_ID"\n'
        "until [ $(ls runs-* | wc -l) = 2 ]; do sleep 0.1; done"
    )
    options = ("--partition=gpu", "--nodelist=gpu1", "--gpus-per-node=v100:2")
    numbers = [submit(*options, script=script) for _ in range(2)]
    for number in numbers:
        assert finished(number)["JobState"] == "COMPLETED"
    seen = [(work / f"job.sbatch-{number}.out").read_text().strip().split(",") for number in numbers]
    assert sorted(seen[0] + seen[1]) == ["0", "1", "2", "3"]


def test_gpus_that_are_taken_make_the_next_job_wait(cluster, submit, job, finished):
    options = ("--partition=gpu", "--nodelist=gpu2")
    first = submit(*options, "--gpus-per-node=4", script="sleep 60")
    wait_for(lambda: job(first)["JobState"] == "RUNNING")
    second = submit(*options, "--gpus-per-node=1", script="true")
    wait_for(lambda: job(second)["Reason"] in ("Resources", "Priority"))
    cluster.run(["scancel", first], check=True)
    assert finished(second)["JobState"] == "COMPLETED"


def test_a_job_without_gpus_sees_none(submit, finished, work):
    number = submit("--partition=gpu", script='echo "[${CUDA_VISIBLE_DEVICES-unset}]"')
    finished(number)
    assert (work / f"job.sbatch-{number}.out").read_text() == "[unset]\n"


def test_array_tasks_each_do_their_part(cluster, work):
    script = work / "part.sbatch"
    script.write_text(
        "#!/bin/bash\n#SBATCH --array=1-7:2%2\n#SBATCH --output=part-%a.out\n\n"
        'echo "$SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT"\n',
        encoding="utf-8",
    )
    cluster.run(["sbatch", "--wait", str(script)], cwd=work, check=True, capture_output=True)
    texts = {path.name: path.read_text() for path in work.glob("part-*.out")}
    assert texts == {f"part-{index}.out": f"{index} of 4\n" for index in (1, 3, 5, 7)}


def test_a_dependent_job_starts_only_after_success(submit, finished, job, work):
    good = submit(script="sleep 2; date +%s.%N > good")
    bad = submit(script="exit 3")
    after_good = submit(f"--dependency=afterok:{good}", script="date +%s.%N > after")
    after_bad = submit(f"--dependency=afterok:{bad}", script="touch never")
    assert job(after_good)["JobState"] == "PENDING"
    assert finished(after_good)["JobState"] == "COMPLETED"
    assert float((work / "after").read_text()) > float((work / "good").read_text())
    assert finished(bad)["ExitCode"] == "3:0"
    wait_for(lambda: job(after_bad)["Reason"] == "DependencyNeverSatisfied")
    assert not (work / "never").exists()


def test_a_program_whose_reader_has_gone_ends_without_a_word(cluster):
    """As in any shell; Python, which starts the command, ignores SIGPIPE, and the command would complain."""
    done = cluster.run(["bash", "-c", "yes | head -n 1"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("y\n", "")


@pytest.mark.slow
def test_a_requeued_job_starts_again_soon(cluster, submit, job, finished, work):
    # The first run waits for a signal, the second one sees that it is the second.
    number = submit(
        "--requeue",
        "--open-mode=append",
        script='echo "run ${SLURM_RESTART_COUNT:-0}"\n[ -n "${SLURM_RESTART_COUNT:-}" ] || sleep 300',
    )
    log = work / f"job.sbatch-{number}.out"
    wait_for(lambda: log.exists() and log.read_text() == "run 0\n")
    requeued = datetime.now()
    cluster.run(["scontrol", "requeue", number], check=True)
    wait_for(lambda: job(number)["JobState"] == "COMPLETED")
    # AuthInfo's cred_expire is 10 s; Slurm's own default would make it two minutes.
    assert (datetime.fromisoformat(job(number)["StartTime"]) - requeued).total_seconds() < 60
    runs = re.findall(r"^run \d$", log.read_text(), re.MULTILINE)
    assert runs == ["run 0", "run 1"]


def test_signals_reach_the_batch_script_and_the_steps(cluster, submit, finished, work):
    number = submit(
        script="trap 'echo batch got USR1' USR1\n"
        "srun bash -c 'trap \"echo step got USR2; exit 0\" USR2; touch ready; while :; do sleep 0.1; done' &\n"
        "wait; wait",
    )
    log = work / f"job.sbatch-{number}.out"
    wait_for((work / "ready").exists)
    cluster.run(["scancel", "--batch", "--signal=USR1", number], check=True)
    wait_for(lambda: "batch got USR1" in log.read_text())
    cluster.run(["scancel", "--signal=USR2", f"{number}.0"], check=True)
    assert finished(number)["JobState"] == "COMPLETED"
    assert "step got USR2" in log.read_text()


def test_more_than_a_node_has_is_refused(cluster, work):
    result = cluster.run(["sbatch", "--mem=100G", "--wrap=true"], cwd=work, capture_output=True, text=True)
    assert result.returncode == 1
    assert "Memory specification can not be satisfied" in result.stderr


def test_mail_is_kept_in_a_file(cluster, submit, finished):
    number = submit("--mail-type=END", "--mail-user=me@example.org", "--job-name=letter", script="true")
    finished(number)
    mailbox = cluster.places.logs / "mail.txt"
    wait_for(lambda: mailbox.exists() and f"Job_id={number} Name=letter Ended" in mailbox.read_text())
    assert "To: me@example.org" in mailbox.read_text()


def test_variables_of_another_slurm_do_not_get_through(cluster, submit, monkeypatch, work):
    # As in a job of a real cluster, whose variables would set the options of sbatch, or its very configuration.
    for name, value in {"SBATCH_PARTITION": "nowhere", "SLURM_CONF": "/nowhere", "SLURM_JOB_ID": "77"}.items():
        monkeypatch.setenv(name, value)
    result = cluster.run(["sbatch", "--test-only", "--wrap=true"], cwd=work, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "partition cpu" in result.stderr


@pytest.mark.slow
@pytest.mark.xdist_group("time limit")  # it only waits: beside the others
def test_a_job_that_overruns_is_warned_and_then_ended(submit, finished, work):
    """A limit of one minute is Slurm's shortest, and Slurm looks at limits twice a minute."""
    # One shell that notes the signals: the warning, then the end. Slurm warns up to 30 s earlier than asked: asked for
    # 30 s before, it might come with the job's first moment, before the shell has its trap.
    script = "trap 'echo warned' USR1\ntrap 'echo terminated; exit 0' TERM\nwhile :; do sleep 1; done"
    number = submit("--time=1", "--signal=B:USR1@10", "--output=log", script=script)
    deaf = submit("--time=1", script="srun sleep 290")
    assert finished(number, pause=1)["JobState"] == "TIMEOUT"
    text = (work / "log").read_text()
    assert text.index("warned") < text.index("terminated")
    assert "DUE TO TIME LIMIT" in text
    # TERM reaches all processes: the shell dies of it, or reports that its program did.
    known = finished(deaf, pause=1)
    assert known["JobState"] == "TIMEOUT"
    assert known["ExitCode"] in ("0:15", "143:0")


def test_without_the_submitters_environment_root_loads_that_of_a_login(cluster, require, work):
    """A slurmd that is root, as on real clusters, does for --export=NONE what a login does; nothing of the shell's."""
    require("root")
    login = ["env", "-i", "su", "-", "-c", "printenv --null"]
    kept = subprocess.run(login, capture_output=True, text=True, check=True).stdout.split("\0")
    names = {line.partition("=")[0] for line in kept} - {"_", "TERM"}
    names = {name for name in names if name.isidentifier()}  # sh does not hand on the shell's functions
    assert names >= {"HOME", "LOGNAME", "PATH"}
    argv = ["sbatch", "--wait", "--export=NONE", f"--output={work}/log", "--wrap=printenv --null"]
    cluster.run(["env", "SHELLS_OWN=1", *argv], capture_output=True, check=True)
    found = {line.partition("=")[0] for line in (work / "log").read_text().split("\0")}
    assert names - found == set()
    assert "SHELLS_OWN" not in found
    assert "SLURM_JOB_ID" in found
