"""srun, pbsdsh, pbs_tmrsh, blaunch, jsrun, scontrol, ssh inside a body, and what must not get through."""

import re
import tempfile

import pytest

TWO_NODES = {
    "slurm": ["--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1", "--gpus-per-node=2"],
    "pbs": ["-l select=2:ncpus=2:mpiprocs=2:ngpus=2", "-l place=scatter", "-j oe"],
    "lsf": ["-n 4", '-R "span[ptile=2]"', '-gpu "num=2"', "-o o.%J"],
}


def lines(text: str) -> list[str]:
    """What was printed, sorted, without what srun says of numbers that it does not heed."""
    return sorted(line for line in text.splitlines() if line and not line.startswith("srun: Warning: "))


def test_srun_tells_each_task_who_it_is(job):
    numbers = "$SLURM_PROCID $SLURM_LOCALID $SLURM_NODEID $SLURM_STEP_ID $SLURM_NTASKS"
    body = f"srun bash -c 'echo {numbers} $(hostname) $SLURMD_NODENAME'\n"
    body += "srun --ntasks=1 bash -c 'echo step $SLURM_STEP_ID'"
    result = job("slurm", TWO_NODES["slurm"], body)
    assert lines(result.stdout) == [
        "0 0 0 0 4 node01 node01",
        "1 1 0 0 4 node01 node01",
        "2 0 1 0 4 node02 node02",
        "3 1 1 0 4 node02 node02",
        "step 1",
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--ntasks=2 --ntasks-per-node=1", ["node01", "node02"]),
        ("--nodes=1 --ntasks=2", ["node01", "node01"]),
        ("--nodelist=node02 --nodes=1 --ntasks=2", ["node02", "node02"]),
        ("--ntasks=2", ["node01", "node02"]),
        ("-n 3", ["node01", "node01", "node02"]),
    ],
)
def test_srun_places_tasks(job, options, expected):
    assert lines(job("slurm", TWO_NODES["slurm"], f"srun {options} hostname").stdout) == expected


def test_srun_ignores_tasks_per_node_that_do_not_fit_the_job(job):
    """A real one does, and says so (test_srun_against_slurm.py); obeying it would bless a script that fails."""
    out = job("slurm", ["--nodes=2", "--ntasks-per-node=4"], "srun --ntasks-per-node=1 hostname").stdout
    assert (out.count("node01\n"), out.count("node02\n")) == (4, 4)
    assert (
        "srun: Warning: can't honor --ntasks-per-node set to 1 which doesn't match the requested tasks 8 "
        "with the number of requested nodes 2. Ignoring --ntasks-per-node.\n"
    ) in out


def test_a_whole_node_has_more_cores_than_its_tasks(job):
    """How many is not known: a step that asks for more than the header is not refused, as on real whole nodes."""
    out = job("slurm", ["--nodes=2", "--exclusive"], "srun -n 6 -c 4 hostname").stdout
    assert (out.count("node01\n"), out.count("node02\n")) == (3, 3)


def test_srun_reports_failure(job):
    result = job("slurm", TWO_NODES["slurm"], "srun bash -c 'exit $SLURM_PROCID'; echo status $?")
    assert "status 3" in result.stdout and "srun: error: node02: task 3: Exited with exit code 3" in result.stdout


def test_srun_kill_on_bad_exit(job):
    body = "srun --kill-on-bad-exit=1 bash -c 'if [ $SLURM_PROCID = 1 ]; then exit 7; fi; sleep 100'; echo status $?"
    result = job("slurm", TWO_NODES["slurm"], body)
    assert result.elapsed_s < 60 and re.search(r"status (7|143)$", result.stdout)


def test_srun_label_and_missing_program(job):
    result = job("slurm", TWO_NODES["slurm"], "srun --label hostname; srun nosuchprogram; echo status $?")
    assert {"0: node01", "3: node02", "status 2"} <= set(result.stdout.splitlines())
    assert "execve(): nosuchprogram: No such file or directory" in result.stdout


def test_srun_more_than_there_is(job):
    result = job("slurm", TWO_NODES["slurm"], "srun --nodes=3 hostname; echo status $?")
    assert "status 1" in result.stdout and "srun: error: Only allocated 2 nodes asked for 3" in result.stdout


def test_scontrol(job):
    body = 'scontrol show hostnames "$SLURM_JOB_NODELIST"; scontrol show hostnames "n[08-10,12],g1"\n'
    body += "scontrol ping; echo $?"
    out = job("slurm", TWO_NODES["slurm"], body).stdout
    assert out.splitlines()[:7] == ["node01", "node02", "n08", "n09", "n10", "n12", "g1"]
    assert "not rehearsed" in out and out.endswith("1\n")


def test_scontrol_requeue(job):
    body = "echo run ${SLURM_RESTART_COUNT-first} $SLURM_JOB_ID\n"
    body += 'if [ -z "${SLURM_RESTART_COUNT-}" ]; then scontrol requeue $SLURM_JOB_ID; sleep 60; fi'
    result = job("slurm", ["--open-mode=append", "--output=log"], body, delay_scale=0.05)
    assert (result.restarts, result.state) == (1, "COMPLETED")
    assert result.log_paths[0].read_text().splitlines() == [f"run first {result.job_id}", f"run 1 {result.job_id}"]


def test_requeue_with_the_last_command(job):
    """It counts, however soon the script ends after it. Written by hand, since the stand-in takes its time to end."""
    body = 'echo run ${SLURM_RESTART_COUNT-first}\n[ -n "${SLURM_RESTART_COUNT-}" ] && exit\n'
    body += 'bin=$(dirname "$(command -v scontrol)")\n: > "${bin%/bin}/requeue"'
    result = job("slurm", ["--open-mode=append", "--output=log"], body, delay_scale=0.05)
    assert (result.restarts, result.log_paths[0].read_text()) == (1, "run first\nrun 1\n")


def test_pbsdsh_as_recorded(job, home):
    """tests/records/pbs/06: a task for each line of the node file, in the home folder, without exports; ends with 0."""
    body = (
        "export A=1\ncd /tmp\n"
        "pbsdsh -- /bin/bash -c 'echo $(hostname) $PBS_NODENUM $PBS_TASKNUM ${PBS_NODEFILE:+nodefile}"
        " A=${A-} $OMP_NUM_THREADS $PWD'\n"
        "pbsdsh -- /bin/bash -c 'exit 3'; echo rc=$?\npbsdsh -n 2 -- hostname"
    )
    out = job("pbs", TWO_NODES["pbs"], body).stdout
    assert lines(out)[: len(lines(out))] == sorted(
        [
            f"node01 0 00000002 A= 2 {home}",
            f"node01 0 00000003 A= 2 {home}",
            f"node02 1 20000002 nodefile A= 2 {home}",
            f"node02 1 20000003 nodefile A= 2 {home}",
            *(f"pbsdsh: task 0x{number:08X} exit status 3" for number in range(4)),
            "rc=0",
            "node02",
        ]
    )


def test_pbsdsh_refuses_an_unknown_option(job):
    out = job("pbs", ["-N u", "-j oe"], "pbsdsh -u hostname; echo rc=$?").stdout
    assert out.endswith("rc=1\n")


@pytest.mark.parametrize(
    ("select", "nodes"),
    [
        ("3:ncpus=4", ["node01", "node01", "node02"]),
        ("2:ncpus=5", ["node01", "node02"]),
        ("2:ncpus=2:mpiprocs=2", ["node01"] * 4),
    ],
)
def test_pbs_fills_nodes_of_eight_cores(job, select, nodes):
    """Without place=scatter a node gets as many chunks as fit (tried with OpenPBS on nodes of eight cores)."""
    assert lines(job("pbs", ["-N free", "-j oe", f"-l select={select}"], 'cat "$PBS_NODEFILE"').stdout) == nodes


def test_pbs_tmrsh_ends_as_its_command(job):
    out = job(
        "pbs",
        TWO_NODES["pbs"],
        "pbs_tmrsh node02 /bin/bash -c 'hostname; exit 5'; echo rc=$?; pbs_tmrsh elsewhere hostname; echo rc=$?",
    ).stdout
    assert "node02\n" in out and "rc=5" in out
    assert 'pbs_tmrsh: host "elsewhere" is not a node in job' in out and "rc=255" in out


def test_blaunch(job):
    body = (
        "export A=1\nblaunch bash -c 'echo all $(hostname) $A'\n"
        "blaunch -z \"node02 node01\" bash -c 'echo listed $(hostname)'\nblaunch node02 false; echo rc=$?"
    )
    out = job("lsf", TWO_NODES["lsf"], body).stdout
    assert lines(out) == ["all node01 1"] * 2 + ["all node02 1"] * 2 + ["listed node01", "listed node02", "rc=1"]


def test_jsrun(job):
    ranks = "$JSM_NAMESPACE_RANK $JSM_NAMESPACE_LOCAL_RANK $JSM_NAMESPACE_SIZE"
    body = f"jsrun -n 4 -r 2 -a 1 -c 1 -g 1 bash -c 'echo {ranks} $(hostname) $CUDA_VISIBLE_DEVICES'"
    out = job("lsf", TWO_NODES["lsf"], body).stdout
    assert lines(out) == ["0 0 4 node01 0", "1 1 4 node01 1", "2 0 4 node02 0", "3 1 4 node02 1"]


def test_brequeue(job):
    body = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; echo "run $n"\n'
    body += 'if [ "$n" = 0 ]; then brequeue "$LSB_JOBID"; sleep 60; fi'
    result = job("lsf", ["-o o.%J"], body, delay_scale=0.05)
    assert (result.restarts, result.state) == (1, "DONE")


def test_lsf_requeue_exit_code(job):
    body = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ "$n" = 2 ] || exit 75'
    result = job("lsf", ["-o o.%J", "-Q 75"], body)
    assert (result.restarts, result.state) == (2, "DONE")


@pytest.mark.parametrize(
    ("scheduler", "launch"),
    [
        ("slurm", "srun"),
        ("pbs", "pbsdsh --"),
        ("lsf", "blaunch"),
        ("pbs", "pbs_tmrsh node02"),
        ("pbs", "ssh node02"),
        ("lsf", "jsrun -n 1"),
    ],
    ids=lambda word: word.split()[0],
)
def test_a_temporary_folder_may_have_any_name(job, tmp_path, monkeypatch, scheduler, launch):
    """The stand-ins lie there: their own paths must reach the shell whole."""
    folder = tmp_path / """O'Brien's "$(false)" place"""
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)  # Python asks for TMPDIR only once
    result = job(scheduler, TWO_NODES[scheduler], f"{launch} echo here")
    assert result.exit_code == 0, job_text(result)
    assert "here\n" in job_text(result)


@pytest.mark.parametrize("scheduler", ["slurm", "pbs", "lsf"])
@pytest.mark.parametrize("command", ["scancel 1", "squeue", "qdel 1", "bkill 1", "qrerun 1"])
def test_real_schedulers_are_not_touched(job, scheduler, command):
    """An invented job id must never reach a real scheduler that happens to be installed here."""
    result = job(scheduler, [], f"{command}; echo rc=$?")
    assert "not rehearsed: there is no scheduler here" in job_text(result) and "rc=1" in job_text(result)


def job_text(result) -> str:
    return result.stdout + "".join(path.read_text() for path in result.log_paths)


def test_ssh_to_a_node(job):
    out = job("pbs", TWO_NODES["pbs"], 'ssh node02 "hostname; echo ${PBS_JOBID-none} \\${PBS_JOBID-none}"').stdout
    assert re.fullmatch(r"node02\n\d+\.head none\n", out)
