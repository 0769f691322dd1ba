"""How jobs end: exit codes, walltime and its signals, leftovers."""

import secrets
import shlex
from pathlib import Path

import psutil
import pytest

FAST = {"delay_scale": 0.05}  # LSF's ten minutes become 30 s, PBS's 10 s half a second
HEARD = {"delay_scale": 0.3}  # PBS's 10 s become three: time for a loaded machine to print what came
# Both handle the signals; the file {ready}, with which the walltime begins, is made by the one that comes last.
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
open("{ready}", "w").close()
end = time.monotonic() + 60
while time.monotonic() < end:
    time.sleep(0.05)
EOF
while :; do sleep 0.1; done
"""


@pytest.fixture
def limited(job, tmp_path):
    """``limited("pbs", directives, body, 2)``: a walltime of two seconds, from when the body has made ``{ready}``."""

    def run(scheduler: str, directives: list[str], body: str, walltime_s: float, **options):
        ready = tmp_path / "ready"
        body = body.replace("{ready}", str(ready))
        return job(scheduler, directives, body, walltime_s=walltime_s, walltime_from=ready, **options)

    return run


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


def test_pbs_walltime(limited):
    """TERM to all, KILL later, no warning before; -29; the sentence in the log (records, 03, walltime_trap)."""
    result = limited("pbs", ["-N wt", "-j oe", "-l walltime=00:00:02"], TRAPS, 2, **HEARD)
    assert (result.exit_code, result.timed_out, result.state) == (-29, True, "F")
    assert "=>> PBS: job killed: walltime 2 exceeded limit 2" in result.stdout
    assert "shell TERM" in result.stdout and result.stdout.count("child TERM") == 1
    assert "USR" not in result.stdout
    assert 2.4 < result.elapsed_s < 60


def test_the_walltime_begins_with_the_sign(limited):
    result = limited("pbs", ["-N sign", "-j oe"], "sleep 1; echo ready; touch {ready}; sleep 60", 0.1, **FAST)
    assert result.stdout.startswith("ready\n=>> PBS: job killed")
    assert result.timed_out


def test_the_scripts_own_walltime_counts_from_its_start(job):
    """No sign is asked for here: a job that is never ready must end, too."""
    result = job("pbs", ["-N wt", "-j oe", "-l walltime=1"], "sleep 60", **FAST)
    assert (result.exit_code, result.timed_out) == (-29, True)


def test_pbs_child_may_finish_after_the_shell_died(limited):
    """As recorded (walltime_fg_child): an untrapped shell dies at TERM, its child still saves."""
    body = """python3 -u - <<'EOF'
import signal, sys, time
def stop(number, frame):
    print("saving"); time.sleep(1.0); print("saved"); sys.exit()
signal.signal(signal.SIGTERM, stop)
open("{ready}", "w").close()
time.sleep(60)
EOF"""
    result = limited("pbs", ["-N wtfg", "-j oe"], body, 0.1)
    assert result.exit_code == -29
    assert result.stdout.endswith("saving\nsaved\n")


def test_pbs_walltime_ends_pbsdsh_before_its_tasks(limited):
    """It says which tasks it kills and ends with 1; what they print afterwards is lost (tried with 23.06.06)."""
    body = r"""cat > task.sh <<'EOF'
save() {
    while kill -0 $PPID 2> /dev/null; do sleep 0.05; done
    echo saved
    touch saved.$PBS_TASKNUM
    exit 5
}
trap save TERM
touch begun.$PBS_TASKNUM
until [[ -e begun.00000002 && -e begun.00000003 ]]; do sleep 0.05; done
touch "{ready}"
while :; do sleep 0.05; done
EOF
trap 'echo shell TERM' TERM
pbsdsh -- /bin/bash task.sh
echo rc=$?
until [[ -e saved.00000002 && -e saved.00000003 ]]; do sleep 0.05; done
"""
    result = limited("pbs", ["-N dsh", "-j oe", "-l select=1:ncpus=2:mpiprocs=2"], body, 0.1)
    told = result.stdout.splitlines()
    killed = {f"pbsdsh: killing task 0x0000000{number} signal 15" for number in (2, 3)}
    assert result.exit_code == -29 and killed <= set(told) and "rc=1" in told
    assert "saved" not in told


def test_lsf_run_limit(job):
    """USR2 first, then INT, TERM, KILL (records, 07); a process that does not catch USR2 ends with 140."""
    result = job("lsf", ["-o o.%J"], "sleep 60", walltime_s=1)
    assert (result.exit_code, result.exit_text, result.state) == (140, "Exited with exit code 140.", "EXIT")


def test_lsf_run_limit_with_traps(limited, monkeypatch):
    """LSF's ten minutes and ten seconds are two seconds each: time for a loaded machine to print what came."""
    monkeypatch.setattr("workshop.rehearse.lsf.TO_INT_S", 2)
    monkeypatch.setattr("workshop.rehearse.lsf.BETWEEN_S", 2)
    result = limited("lsf", ["-o o.%J"], TRAPS, 0.1)
    order = [word for word in result.stdout.split() if word in ("USR2", "INT", "TERM")]
    assert order.index("USR2") < order.index("INT") < order.index("TERM")
    assert result.stdout.count("child USR2") == 1
    assert result.exit_text == "Exited with signal termination: Killed."


def test_lsf_warning(limited):
    """-wa SIGNAL -wt MINUTES before the limit (IBM's bsub reference)."""
    body = "trap 'echo warned; exit 0' USR1; touch {ready}; while :; do sleep 0.1; done"
    result = limited("lsf", ["-o o.%J", "-wa USR1", "-wt 1"], body, 60.1)
    assert result.exit_code == 0 and result.stdout.endswith("warned\n")
    assert result.elapsed_s < 60


def step(signal: str) -> str:
    """A step in the background that tells of a signal; the body goes on when it is ready for it."""
    loop = f'trap "echo step {signal}" {signal}; touch step-ready; while :; do sleep 0.1; done'
    return f"srun bash -c {shlex.quote(loop)} &\nuntil [ -e step-ready ]; do sleep 0.05; done\n"


def test_slurm_time_limit(limited):
    """TERM to all processes, steps included, KILL after KillWait; state TIMEOUT, as seen on the practice cluster."""
    result = limited("slurm", ["--output=%x-%j.out"], step("TERM") + TRAPS, 0.1, **FAST)
    assert (result.state, result.timed_out, result.ok) == ("TIMEOUT", True, False)
    assert "DUE TO TIME LIMIT ***" in result.stdout
    for word in ("shell TERM", "step TERM"):
        assert word in result.stdout
    assert result.stdout.count("child TERM") == 1


@pytest.mark.parametrize(("option", "seen"), [("USR1@2", {"step"}), ("B:USR1@2", {"shell"})])
def test_slurm_signal(limited, option, seen):
    """--signal goes to the steps only, with B: to the batch shell only (sbatch(1))."""
    body = f"trap 'echo shell USR1' USR1\n{step('USR1')}touch {{ready}}\nwhile :; do sleep 0.1; done"
    result = limited("slurm", [f"--signal={option}"], body, 2.1, **FAST)
    assert {line.split()[0] for line in result.stdout.splitlines() if line.endswith("USR1")} == seen


def test_nothing_is_left(job, tmp_path):
    """A process that left its session and a half-finished background job go with the job; so do the files."""
    marker = f"{tmp_path}/alive"
    seconds = f"4321.{secrets.randbelow(10**9)}"  # no other test's sleep
    body = f"setsid bash -c 'while :; do touch {marker}; sleep 0.05; done' &\nnohup sleep {seconds} &\n"
    body += f"until [ -e {marker} ]; do sleep 0.05; done; echo $PBS_NODEFILE"
    result = job("pbs", ["-N left", "-j oe"], body)
    assert result.exit_code == 0
    assert not [
        p
        for p in psutil.process_iter(["cmdline"])
        if seconds in (p.info["cmdline"] or []) or marker in " ".join(p.info["cmdline"] or [])
    ]
    state = result.stdout.strip().split("/aux/")[0]
    assert not Path(state).exists()
