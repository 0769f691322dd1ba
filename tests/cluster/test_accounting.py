"""sacct, seff, accounts and QOS: chapters teach them, so they must be real."""

import subprocess

import pytest
from people import wait_for

pytestmark = pytest.mark.needs_slurm


@pytest.fixture(autouse=True)
def _with_accounting(accounting):
    """The shared cluster has it, from now on."""


def output(cluster, *argv: str) -> str:
    result = cluster.run(list(argv), capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def sacct(cluster, number: str, fields: str) -> list[str]:
    return output(cluster, "sacct", "--noheader", "--parsable2", f"--jobs={number}", f"--format={fields}").splitlines()


def test_a_finished_job_is_in_sacct(cluster, submit, finished):
    number = submit("--job-name=kept", script="srun true\nexit 4")
    finished(number)
    expected = [
        f"{number}|kept|course|FAILED|4:0",
        f"{number}.batch|batch|course|FAILED|4:0",
        f"{number}.0|true|course|COMPLETED|0:0",
    ]
    # What happened reaches the database piece by piece.
    wait_for(lambda: sacct(cluster, number, "JobID,JobName,Account,State,ExitCode") == expected)


@pytest.mark.slow
def test_seff_says_what_was_used(cluster, submit, finished):
    code = "import time; m = bytearray(300_000_000); t = time.process_time()\nwhile time.process_time() - t < 3: pass"
    number = submit("--cpus-per-task=2", "--mem=1000M", script=f"srun python3 -c '\n{code}'\nsleep 3")
    finished(number)
    # The step's end and the job's end reach the database one after the other.
    wait_for(lambda: set(sacct(cluster, number, "State")) == {"COMPLETED"})
    text = output(cluster, "seff", number)
    lines = dict(line.split(": ", 1) for line in text.splitlines())
    assert lines["Job ID"] == number
    assert lines["State"] == "COMPLETED (exit code 0)"
    assert lines["Cores per node"] == "2"
    assert lines["CPU Utilized"] in {"00:00:03", "00:00:04"}
    assert 0 < float(lines["CPU Efficiency"].split("%")[0]) <= 50
    used, unit = lines["Memory Utilized"].split()
    assert unit == "MB"
    assert 280 < float(used) < 400
    assert lines["Memory Efficiency"].endswith("of 1000.00 MB")


def test_seff_of_an_unknown_job(cluster):
    result = cluster.run(["seff", "424242"], capture_output=True, text=True)
    assert result.returncode == 1
    assert "Job not found: 424242" in result.stderr


def test_accounts_are_checked(cluster, submit, job, work):
    number = submit("--account=def-student", "--hold", script="true")
    assert job(number)["Account"] == "def-student"
    cluster.run(["scancel", number], check=True)
    argv = ["sbatch", "--account=nobodys", "--wrap=true"]
    result = cluster.run(argv, cwd=work, capture_output=True, text=True)
    assert result.returncode == 1
    assert "Invalid account" in result.stderr


def test_the_short_qos_has_limits_that_bite(cluster, submit, job, work):
    argv = ["sbatch", "--qos=short", "--time=60", "--wrap=true"]
    result = cluster.run(argv, cwd=work, capture_output=True, text=True)
    assert result.returncode == 1
    assert "QOSMaxWallDurationPerJobLimit" in result.stderr
    numbers = [submit("--qos=short", "--time=10", script="sleep 60") for _ in range(3)]
    wait_for(lambda: [job(n)["JobState"] for n in numbers] == ["RUNNING", "RUNNING", "PENDING"])
    wait_for(lambda: job(numbers[2])["Reason"] == "QOSMaxJobsPerUserLimit")
    cluster.run(["scancel", *numbers], check=True)


def test_a_changed_limit_holds_at_once(cluster):
    """slurmdbd must reach slurmctld to tell it."""

    def known() -> str:
        lines = output(cluster, "scontrol", "show", "assoc_mgr", "flags=qos", "qos=short").splitlines()
        return next(line.strip().split()[-1] for line in lines if "MaxWallPJ=" in line)

    try:
        output(cluster, "sacctmgr", "--immediate", "modify", "qos", "short", "set", "MaxWall=20")
        wait_for(lambda: known() == "MaxWallPJ=20")
    finally:
        output(cluster, "sacctmgr", "--immediate", "modify", "qos", "short", "set", "MaxWall=30")
    wait_for(lambda: known() == "MaxWallPJ=30")


def test_a_cancelled_job_has_another_exit_code_in_scontrol_than_in_sacct(cluster, submit, job):
    """As the page with the schedulers side by side says."""
    # The second sleep: the step may end before TERM comes to the shell, which would end with the step's exit code.
    number = submit(script="srun sleep 290\nsleep 290")
    wait_for(lambda: f"{number}.0" in output(cluster, "squeue", "--noheader", "--steps", "--format=%i"))
    cluster.run(["scancel", number], check=True)
    wait_for(lambda: job(number)["JobState"] == "CANCELLED")
    assert job(number)["ExitCode"] == "0:15"
    expected = [f"{number}|0:0", f"{number}.batch|0:15", f"{number}.0|0:15"]
    wait_for(lambda: sacct(cluster, number, "JobID,ExitCode") == expected)


def test_associations_and_qos_are_listed(cluster):
    fields = "format=account%20,user%20,qos%20"
    rows = output(cluster, "sacctmgr", "--noheader", "--parsable2", "list", "associations", fields).splitlines()
    users = {row.split("|")[0]: row.split("|")[2] for row in rows if row.split("|")[1] not in ("", "root")}
    if not users:  # root runs the tests
        users = {row.split("|")[0]: row.split("|")[2] for row in rows if row.split("|")[0] in ("course", "def-student")}
    assert users == {"course": "normal,short", "def-student": "normal,short"}


def test_the_database_is_for_this_user_only(cluster):
    folder = cluster.places.database_socket.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    argv = ["mariadb", f"--socket={cluster.places.database_socket}", "--user=nobody", "--execute=SELECT 1"]
    assert subprocess.run(argv, capture_output=True, check=False).returncode != 0
