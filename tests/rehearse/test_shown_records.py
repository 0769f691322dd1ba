"""What pages show of recorded PBS and LSF jobs, line by line: the same jobs run here, and every line must come out.

Each case takes its job from the very lines that the page shows: the script in them, or the options of their ``qsub``
and ``bsub``. The job runs in a rehearsal, and what it printed, left behind and ended with is written down as the
recording did. Only ids, hosts, users, times, sizes and paths may differ (``same``).

What is *not* executed even so: the scheduler's commands themselves. The lines that repeat a command or the script, a
heading of the recording, and the id that a submission answers are written here. So is the form of three lines that a
scheduler prints about a job (``bjobs``, ``Job_Name``, ``Exit_status``); their values are those that the job saw or
ended with. A block with any other line that only a scheduler can print (a refusal, a reason to wait, what was measured)
has no case here; tests/repository/console_blocks.yml gives its reason.
"""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from printed_variables import variables

from workshop.book import records
from workshop.paths import REPO
from workshop.rehearse import Rehearsal, rehearse
from workshop.yaml_files import read_yaml

HELLO = 'echo "out $(hostname) ${PBS_JOBID:-$LSB_JOBID}"; echo err >&2'
NODE_FILE = 'echo "--- NODEFILE $PBS_NODEFILE"; cat "$PBS_NODEFILE"'
CASES: dict[str, Callable] = {}


def case(*blocks: str) -> Callable:
    """Register a function for the blocks ``FILE:LINES``."""

    def register(function: Callable) -> Callable:
        for block in blocks:
            CASES[block] = function
        return function

    return register


@pytest.fixture(autouse=True)
def recorded_umask():
    """The recordings' user had Debian's default."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize("block", CASES)
def test_every_line_comes_out(block, job, work, home, require, monkeypatch):
    name, lines = block.split(":")
    text = records.shown(records.FOLDER / name, lines)
    stage = Stage(text, job, work, home, require, monkeypatch)
    made = CASES[block](stage)
    assert same(made) == same(text)


def test_the_list_of_blocks_names_these_cases():
    listed = read_yaml(REPO / "tests/repository/console_blocks.yml")["records"]
    mine = f"tests/rehearse/{Path(__file__).name}"
    assert {f"{e['file']}:{e['lines']}" for e in listed if e.get("executed_by") == mine} == set(CASES)


HOST = re.compile(r"\bnode\d\d\b")
DIFFERS = (
    (r"\S+/mom_priv/jobs/", "SPOOL/"),
    (r"\S+/\.lsbatch/\d+\.", "SPOOL/"),
    (r"NODEFILE \S+/aux/", "NODEFILE AUX/"),
    (r"\d+(?=(\[\d*\])?\.head)", "ID"),
    (r"(?<=\.[oe])\d+", "ID"),
    (r"(?<=\bo\.)\d+", "ID"),
    (r"(?<=Job <)\d+|(?<=Job )\d+(?=: <)|(?<=SPOOL/)\d+", "ID"),
    (r"^\d+(?= +\w+ +(DONE|EXIT))", "ID"),
    (r"(?<=PBS_TASKNUM=0000000)\d", "N"),  # tasks of a job are counted
    (r"(?<=JOBCOOKIE=)[0-9A-F]{32}", "HEX"),
    (r"^(-\S{9}) +\d+ \S+ \S+ +\d+ \w{3} +\d+ [\d:]+", r"\1 OWNER SIZE DATE"),
    (r"\b\w{3} +\d+ \d\d:\d\d$", "DATE"),
    (r"\b\d\d:\d\d:\d\d\b", "TIME"),
    (r"^\d+(\.\d+s|ms)(?= )", "TIME"),
    (r"(?<=walltime )\d+", "S"),
    (r"(?<=line )\d+:  ? *\d+ ", "N: PID "),
    (r"(?<=ID: )\d+(?=: )", "N"),
)


def same(text: str) -> list[str]:
    """The lines without what differs between two runs; hosts are numbered in the order in which they occur."""
    hosts: dict[str, str] = {}
    out = []
    for line in text.split("\n"):
        for pattern, word in DIFFERS:
            line = re.sub(pattern, word, line)
        line = HOST.sub(lambda found: hosts.setdefault(found[0], f"host{len(hosts) + 1}"), line)
        out.append(re.sub(r"[ \t]+", " ", line).rstrip())
    return out


class Stage:
    """One block, and what runs its jobs.

    Args:
        text: what the page shows. job, work, home, require, monkeypatch: the fixtures.
    """

    def __init__(self, text: str, job: Callable, work: Path, home: Path, require: Callable, monkeypatch) -> None:
        self.text, self.lines = text, text.split("\n")
        self.job, self.work, self.home, self.require, self.monkeypatch = job, work, home, require, monkeypatch
        monkeypatch.setenv("LANG", "C.UTF-8")

    def qsub(self, line: str, body: str, **options) -> Rehearsal:
        """The job of a shown command ``$ qsub OPTIONS SCRIPT``, its options as directives."""
        words = shlex.split(line.removeprefix("$ "))
        assert words[0] == "qsub"
        pairs = [f"{option} {shlex.quote(value)}" for option, value in zip(words[1:-1:2], words[2:-1:2], strict=True)]
        return self.job("pbs", pairs, body, name=Path(words[-1]).name, **options)

    def limited(self, scheduler: str, directives: list[str], body: str, walltime_s: float) -> Rehearsal:
        """A job whose walltime begins when it has made the file ``{ready}``: from then on it waits for signals."""
        ready = self.work / "ready"
        body = body.replace("{ready}", str(ready))
        return self.job(scheduler, directives, body, walltime_s=walltime_s, walltime_from=ready)

    def shown_script(self, scheduler: str, extra: str = "") -> Rehearsal:
        """The job whose script the block shows, each line with ``$`` at its end (``cat -A``)."""
        shown = [line for line in self.lines if line.endswith("$") and not line.startswith("$ ")]
        script = "\n".join(line.removesuffix("$").replace("^M", "\r") for line in shown)
        path = self.work / "s.sh"
        path.write_text(script + extra + "\n", newline="")
        return rehearse(path, scheduler=scheduler, workdir=self.work)

    def script_lines(self) -> list[str]:
        return self.lines[: next(n for n, line in enumerate(self.lines) if line.startswith("$ ")) + 1]


def listing(path: Path, shown: str | None = None) -> str:
    """A line of ``ls -l``."""
    mode = path.stat().st_mode
    letters = "".join(letter if mode >> (8 - n) & 1 else "-" for n, letter in enumerate("rwxrwxrwx"))
    return f"-{letters} 1 student student {path.stat().st_size} Nov 27 20:53 {shown or path.name}"


def bjobs(result: Rehearsal, told: str, user: str = "student") -> str:
    """A line of ``bjobs`` with what the job saw (``TELL``) and how it ended."""
    queue, submit_host, hosts, name = told.split("|")
    return f"{result.job_id} {user} {result.state} {queue} {submit_host} {hosts.replace(' ', ':')} {name} Nov 27 21:07"


TELL = '\necho "$LSB_QUEUE|$LSB_SUB_HOST|$LSB_HOSTS|$LSB_JOBNAME" > told'


def told(stage: Stage) -> str:
    """What ``TELL`` at the end of the script wrote; it is no part of the job's name."""
    return (stage.work / "told").read_text().rstrip("\n").replace(TELL.replace("\n", ";"), "")


def output(log: Path) -> str:
    """The part of LSF's log that the job printed."""
    return log.read_text().split("The output (if any) follows:\n", 1)[1].rstrip("\n")


# PBS


@case("pbs/02_arrays_output_names.txt:215-216, 239-242")
def log_with_both(stage: Stage) -> str:
    result = stage.qsub(stage.lines[0], HELLO)
    (log,) = result.log_paths
    text = log.read_text().rstrip("\n")
    top = [stage.lines[0], f"rc=0 {result.job_id}", records.CUT, listing(log), f"----- file: ./{log.name}"]
    return "\n".join([*top, text])


@case("pbs/05_directives.txt:57-65", "pbs/05_directives.txt:166-172")
def name_as_the_job_sees_it(stage: Stage) -> str:
    tell = '\necho "    Job_Name = $PBS_JOBNAME"; echo "    queue = $PBS_QUEUE"'
    result = stage.shown_script("pbs", tell)
    printed = result.stdout.removeprefix("hi\n").rstrip("\n")
    return "\n".join([*stage.script_lines(), f"rc=0 {result.job_id}", printed])


@case("pbs/02_arrays_output_names.txt:298-299, 321-321")
def lost_output(stage: Stage) -> str:
    result = stage.qsub(stage.lines[0], HELLO)
    assert not (stage.work / "nodir").exists() and "undelivered" in result.notes[0]
    return "\n".join([stage.lines[0], f"rc=0 {result.job_id}", records.CUT, f"    {result.exit_text}"])


@case("pbs/02_arrays_output_names.txt:2-3, 26-28")
def array_logs(stage: Stage) -> str:
    result = stage.qsub(stage.lines[0], 'echo "$PBS_ARRAY_INDEX"')
    logs = [path for path in result.log_paths if ".o" in path.name]
    return "\n".join([stage.lines[0], f"rc=0 {result.job_id}", records.CUT, *map(listing, logs)])


SAVES = """
python3 -u - <<'EOF'
import signal, sys, time
start = time.monotonic()
def stop(number, frame):
    print(f"{time.monotonic() - start:.1f}s child got SIGTERM; saving")
    time.sleep(0.5)
    print(f"{time.monotonic() - start:.1f}s saved")
    sys.exit()
signal.signal(signal.SIGTERM, stop)
open("{ready}", "w").close()
time.sleep(60)
EOF
"""


@case("pbs/03_kill_exit.txt:80-82")
def child_saves_after_the_shell_died(stage: Stage) -> str:
    result = stage.limited("pbs", ["-N wtfg", "-j oe"], SAVES, 5)
    assert result.exit_code == -29
    return result.stdout.rstrip("\n")


@case("pbs/01_env.txt:45-45, 85-89, 91-91, 131-135", "pbs/01_env.txt:227-227, 267-271")
def node_files(stage: Stage) -> str:
    """One job or several: each command, and the node file of its job."""
    commands = [line for line in stage.lines if line.startswith("$ ")]
    jobs = [f"{line}\n{records.CUT}\n{stage.qsub(line, NODE_FILE).stdout.rstrip()}" for line in commands]
    return f"\n{records.CUT}\n".join(jobs)


@case("pbs/06_mpi_dsh_depend_rerun_json.txt:243-248")
def failed_tasks(stage: Stage) -> str:
    command = stage.lines[0].removeprefix("## pbsdsh ").removeprefix("bash -c ")
    body = f"pbsdsh -- /bin/bash -c {shlex.quote(command)}; echo rc=$?"
    result = stage.job("pbs", ["-l select=2:ncpus=2:mpiprocs=2", "-l place=scatter", "-j oe"], body)
    *tasks, status = result.stdout.rstrip("\n").split("\n")
    return "\n".join([stage.lines[0], *sorted(tasks), status])


@case("pbs/06_mpi_dsh_depend_rerun_json.txt:215-224")
def environment_of_a_task(stage: Stage) -> str:
    directives = ["-N dsh", "-l select=2:ncpus=2:mpiprocs=2", "-l place=scatter", "-j oe"]
    result = stage.job("pbs", directives, "pbsdsh -n 0 -- env")
    mine = variables(result.stdout)
    return "\n".join(f"{name}={mine[name]}" for name in (line.split("=")[0] for line in stage.lines))


@case("pbs/02_arrays_output_names.txt:520-521, 551-552")
def kept_files(stage: Stage) -> str:
    """``-k oed`` in the folder of submission, ``-k oe`` in the home folder."""
    direct = stage.job("pbs", ["-k oed", "-N koed"], HELLO)
    kept = stage.job("pbs", ["-k oe", "-N koe"], HELLO)
    assert {path.parent for path in direct.log_paths} == {stage.work}
    assert {path.parent for path in kept.log_paths} == {stage.home}
    near = [listing(path) for path in sorted(direct.log_paths)]
    far = [listing(path, f"/home/student/{path.name}") for path in sorted(kept.log_paths)]
    return "\n".join([*near, records.CUT, *far])


@case("pbs/02_arrays_output_names.txt:323-323, 348-351")
def logs_in_a_folder(stage: Stage) -> str:
    (stage.work / "logs").mkdir()
    result = stage.qsub(stage.lines[0], HELLO)
    shown = [f"----- file: ./logs/{path.name}\n{path.read_text().rstrip()}" for path in sorted(result.log_paths)]
    return "\n".join([stage.lines[0], records.CUT, *shown])


@case("pbs/03_kill_exit.txt:229-239")
def exit_codes(stage: Stage) -> str:
    out = [stage.lines[0]]
    for line in stage.lines[1:]:
        body = re.match(r"script '(.*)' ->", line)[1]
        result = stage.job("pbs", [], body, shebang="")
        log = "".join(path.read_text() for path in result.log_paths).rstrip("\n")
        out.append(f"script '{body}' ->     {result.exit_text}   out: {log}")
    return "\n".join(out)


@case("pbs/09_mpirun_slots_launchers.txt:24-27")
def mpirun_takes_cores_as_slots(stage: Stage) -> str:
    """The real Open MPI; told that each node has two cores, as many as the recorded machine."""
    stage.require("mpi")
    stage.monkeypatch.setenv("HWLOC_SYNTHETIC", "core:2 pu:1")
    # mpirun warns where a launched ssh is already running when it wants to set its group (plm:rsh, setpgid): a race of
    # its own, without consequence.
    body = 'sort -u "$PBS_NODEFILE" > hf; mpirun -np 3 --hostfile hf hostname 2> warnings'
    directives = ["-V", "-j oe", "-l select=3:ncpus=1:mpiprocs=1", "-l place=scatter"]
    result = stage.job("pbs", directives, body)
    return "\n".join([stage.lines[0], *in_shown_order(result.stdout.split(), stage.lines[1:])])


def in_shown_order(lines: list[str], shown: list[str]) -> list[str]:
    """Lines of tasks that run side by side, in the order of the recording where they are the same lines."""
    return shown if sorted(lines) == sorted(shown) else lines


# LSF


@case("lsf/04_directives.txt:5-14", "lsf/04_directives.txt:115-122")
def understood_by_lsf(stage: Stage) -> str:
    result = stage.shown_script("lsf", TELL)
    submitted = f"Job <{result.job_id}> is submitted to default queue <{told(stage).split('|')[0]}>."
    return "\n".join([*stage.script_lines(), submitted, "rc=0", bjobs(result, told(stage))])


@case("lsf/04_directives.txt:11-12, 15-19")
def first_log(stage: Stage) -> str:
    """The script stands in the recording above the lines shown here."""
    stage.lines = records.shown(records.FOLDER / "lsf/04_directives.txt", "5-11").split("\n")
    result = stage.shown_script("lsf")
    (log,) = result.log_paths
    answer = f"Job <{result.job_id}> is submitted to default queue <normal>."
    top = [stage.lines[-1], answer, records.CUT, listing(log), f"----- file ./{log.name}"]
    return "\n".join([*top, output(log)])


@case("lsf/04_directives.txt:286-296")
def login_shell(stage: Stage) -> str:
    result = stage.shown_script("lsf", TELL)
    (log,) = result.log_paths
    submitted = f"Job <{result.job_id}> is submitted to default queue <{told(stage).split('|')[0]}>."
    top = [*stage.script_lines(), submitted, "rc=0", bjobs(result, told(stage))]
    return "\n".join([*top, listing(log), f"----- file ./{log.name}", output(log)])


@case("lsf/04_directives.txt:23-36")
def shebang_from_windows(stage: Stage) -> str:
    """The job tells nothing of itself, since it does not start: queue and hosts are those of a job without ``\\r``."""
    result = stage.shown_script("lsf")
    (log,) = result.log_paths
    twin = stage.job("lsf", ["-J crlf", "-n 2", "-o twin.%J"], TELL)
    assert (twin.state, result.exit_code) == ("DONE", 127)
    top = [*stage.script_lines(), f"Job <{result.job_id}> is submitted to default queue <normal>.", "rc=0"]
    job = bjobs(result, (stage.work / "told").read_text().rstrip())
    return "\n".join([*top, job, listing(log), f"----- file ./{log.name}", output(log), result.exit_text])


@case("lsf/06_misc.txt:135-136")
def output_nowhere(stage: Stage) -> str:
    """A command without a script: its words are the job's name."""
    command = "echo hi"
    result = stage.job("lsf", ["-o /home/student/nodir/o.%J", f'-J "{command}"'], command + TELL)
    missing = Path("/home/student/nodir")
    assert not missing.exists() and "loses its output" in result.notes[0]
    ls = stage.job("lsf", ["-o ls.%J"], f"LC_ALL=C.UTF-8 ls {missing}")
    return "\n".join([bjobs(result, told(stage)), output(ls.log_paths[0]).strip()])


@case("lsf/06_misc.txt:53-56")
def program_ended_by_a_signal(stage: Stage) -> str:
    bodies = {"k9": "python3 -c 'import os; os.kill(os.getpid(), 9)'", "ab": "python3 -c 'import os; os.abort()'"}
    out = []
    for name, body in bodies.items():
        result = stage.job("lsf", [f"-J {name}", f"-o {name}.%J"], f"{TELL}\nulimit -c 0\n{body}")
        out += [bjobs(result, told(stage)), result.exit_text]
    return "\n".join(out)


TRAPS = """
trap 'echo "${SECONDS}ms shell got USR2"' USR2
trap 'echo "${SECONDS}ms shell got INT"' INT
trap 'echo "${SECONDS}ms shell got TERM"' TERM
python3 -u - <<'EOF' &
import signal, sys, time
start = time.monotonic()
def told(number, frame):
    # One write: print hands on the line's end by itself, and the shell's line might come between.
    sys.stdout.write(f"{time.monotonic() - start:.1f}s python child got {signal.Signals(number).name}\\n")
for name in ("SIGUSR2", "SIGINT", "SIGTERM"):
    signal.signal(getattr(signal, name), told)
open("{ready}", "w").close()
while True:
    time.sleep(0.05)
EOF
while :; do sleep 0.1; done
"""


@case("lsf/07_usr2_then_kill.txt:30-31, 34-34, 36-38")
def signals_at_the_run_limit(stage: Stage) -> str:
    """USR2, INT, TERM, each to all processes; two seconds between them. QUIT and CONT are cut on the page."""
    stage.monkeypatch.setattr("workshop.rehearse.lsf.TO_INT_S", 2)
    stage.monkeypatch.setattr("workshop.rehearse.lsf.BETWEEN_S", 2)
    result = stage.limited("lsf", ["-o o.%J", "-W 1"], TRAPS, 0.1)
    lines = [line for line in result.stdout.split("\n") if " got " in line]
    child = [line for line in lines if "python child" in line]
    shell = [line for line in lines if "shell" in line]
    assert len(child) == len(shell) == 3
    first = [child[0], shell[0]]
    return "\n".join([*first, records.CUT, child[1], records.CUT, shell[1], child[2], shell[2]])


@case("lsf/06_misc.txt:67-67, 70-74")
def requeued_by_hand(stage: Stage) -> str:
    body = """
echo "run $(date +%T) LSB_RESTART=${LSB_RESTART-}"
if [ ! -e again ]; then touch again; brequeue "$LSB_JOBID" > answer; sleep 60; fi
"""
    result = stage.job("lsf", ["-J rq", "-o rq.out"], body, delay_scale=0.05)
    assert result.restarts == 1
    answer = (stage.work / "answer").read_text().rstrip("\n")
    log = (stage.work / "rq.out").read_text()
    pattern = r"^(Subject: .* Exited|Job was killed .*|run \d.*|Successfully completed\.)$"
    return "\n".join([answer, records.CUT, *re.findall(pattern, log, flags=re.M)])
