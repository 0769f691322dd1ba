"""How jobs end: exit codes, walltime and its signals, leftovers."""

import time
from pathlib import Path

import psutil
import pytest

FAST = {"delay_scale": 0.05}  # LSF's ten minutes become 30 s, PBS's 10 s half a second
TRAPS = """
echo start
trap 'echo shell TERM' TERM
trap 'echo shell USR2' USR2
trap 'echo shell INT' INT
python3 -u - <<'EOF' &
import signal, sys, time
def told(number, frame):
    # One write, where print makes several: the shell's line might come between.
    sys.stdout.write(f"child {signal.Signals(number).name.removeprefix('SIG')}\\n")
for name in ("SIGTERM", "SIGUSR2", "SIGINT", "SIGUSR1"):
    signal.signal(getattr(signal, name), told)
end = time.monotonic() + 60
while time.monotonic() < end:
    time.sleep(0.05)
EOF
while :; do sleep 0.1; done
"""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("exit 0", 0),
        ("exit 3", 3),
        ("exit 127", 127),
        ("nosuchcmd", 127),
        ("kill -9 $$", 137),
        ("kill -SEGV $$", 139),
        ("exit 256", 0),
        ("exit 271", 15),
        ("false", 1),
        ("set -e; false; echo no", 1),
    ],
)
def test_pbs_exit_status(job, body, code):
    """The table at the end of tests/records/pbs/03_kill_exit.txt."""
    result = job("pbs", ["-N x", "-j oe"], body)
    assert (result.exit_code, result.state, result.exit_text) == (code, "F", f"Exit_status = {code}")


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        ("true", 0, "Successfully completed."),
        ("exit 3", 3, "Exited with exit code 3."),
        ("nosuchcmd", 127, "Exited with exit code 127."),
    ],
)
def test_lsf_exit_status(job, body, code, text):
    result = job("lsf", ["-o o.%J"], body)
    assert (result.exit_code, result.exit_text) == (code, text)
    assert f"\n{text}\n" in result.log_paths[0].read_text()
    assert result.state == ("DONE" if code == 0 else "EXIT")


@pytest.mark.parametrize(
    ("body", "state", "text"),
    [("true", "COMPLETED", "0:0"), ("exit 3", "FAILED", "3:0"), ("kill -9 $$", "FAILED", "0:9")],
)
def test_slurm_exit_status(job, body, state, text):
    result = job("slurm", [], body)
    assert (result.state, result.exit_text) == (state, text)


def test_pbs_walltime(job):
    """TERM to all, KILL later, no warning before; -29; the sentence in the log (records, 03, walltime_trap)."""
    result = job("pbs", ["-N wt", "-j oe", "-l walltime=00:00:02"], TRAPS, **FAST)
    assert (result.exit_code, result.timed_out, result.state) == (-29, True, "F")
    assert "=>> PBS: job killed: walltime 2 exceeded limit 2" in result.stdout
    assert "shell TERM" in result.stdout and result.stdout.count("child TERM") == 1
    assert "USR" not in result.stdout
    assert 2.4 < result.elapsed_s < 15


def test_pbs_child_may_finish_after_the_shell_died(job):
    """As recorded (walltime_fg_child): an untrapped shell dies at TERM, its child still saves."""
    body = """python3 -u -c '
import signal, sys, time
def stop(number, frame):
    print("saving"); time.sleep(1.0); print("saved"); sys.exit()
signal.signal(signal.SIGTERM, stop)
time.sleep(30)'"""
    result = job("pbs", ["-N wtfg", "-j oe", "-l walltime=3"], body, delay_scale=1.0)
    assert result.exit_code == -29
    assert result.stdout.endswith("saving\nsaved\n")


def test_lsf_run_limit(job):
    """USR2 first, then INT, TERM, KILL (records, 07); a process that does not catch USR2 ends with 140."""
    result = job("lsf", ["-o o.%J"], "sleep 60", walltime_s=1)
    assert (result.exit_code, result.exit_text, result.state) == (140, "Exited with exit code 140.", "EXIT")


def test_lsf_run_limit_with_traps(job):
    result = job("lsf", ["-o o.%J"], TRAPS, walltime_s=2, delay_scale=0.004)
    order = [word for word in result.stdout.split() if word in ("USR2", "INT", "TERM")]
    assert order.index("USR2") < order.index("INT") < order.index("TERM")
    assert result.stdout.count("child USR2") == 1
    assert result.exit_text == "Exited with signal termination: Killed."


def test_lsf_warning(job):
    """-wa SIGNAL -wt MINUTES before the limit (IBM's bsub reference)."""
    result = job(
        "lsf",
        ["-o o.%J", "-wa USR1", "-wt 1"],
        "trap 'echo warned; exit 0' USR1; while :; do sleep 0.1; done",
        walltime_s=61,
    )
    assert result.exit_code == 0 and result.stdout.endswith("warned\n")
    assert result.elapsed_s < 30


def test_slurm_time_limit(job):
    """TERM to all processes, steps included, KILL after KillWait; state TIMEOUT, as seen on the practice cluster."""
    body = "srun bash -c 'trap \"echo step TERM\" TERM; while :; do sleep 0.1; done' &\n" + TRAPS
    result = job("slurm", ["--output=%x-%j.out"], body, walltime_s=3, **FAST)
    assert (result.state, result.timed_out, result.ok) == ("TIMEOUT", True, False)
    assert "DUE TO TIME LIMIT ***" in result.stdout
    for word in ("shell TERM", "step TERM"):
        assert word in result.stdout
    assert result.stdout.count("child TERM") == 1


@pytest.mark.parametrize(("option", "seen"), [("USR1@1", {"step"}), ("B:USR1@1", {"shell"})])
def test_slurm_signal(job, option, seen):
    """--signal goes to the steps only, with B: to the batch shell only (sbatch(1))."""
    body = (
        "trap 'echo shell USR1' USR1\n"
        "srun bash -c 'trap \"echo step USR1\" USR1; while :; do sleep 0.1; done' &\n"
        "while :; do sleep 0.1; done"
    )
    result = job("slurm", [f"--signal={option}"], body, walltime_s=3, **FAST)
    assert {line.split()[0] for line in result.stdout.splitlines() if line.endswith("USR1")} == seen


def test_nothing_is_left(job, tmp_path):
    """A process that left its session and a half-finished background job go with the job; so do the files."""
    marker = f"{tmp_path}/alive"
    body = f"setsid bash -c 'while :; do touch {marker}; sleep 0.05; done' &\nnohup sleep 4321 &\n"
    body += "sleep 0.3; echo $PBS_NODEFILE"
    result = job("pbs", ["-N left", "-j oe"], body)
    assert result.exit_code == 0
    assert not [
        p
        for p in psutil.process_iter(["cmdline"])
        if "4321" in (p.info["cmdline"] or []) or marker in " ".join(p.info["cmdline"] or [])
    ]
    state = result.stdout.strip().split("/aux/")[0]
    time.sleep(0.1)
    assert not Path(state).exists()
