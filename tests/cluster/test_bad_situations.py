"""Each bad situation: a plain message that says what is wrong, and a mend that works.

The situations are real: namespaces of the kernel hide programs and forbid further namespaces for one process tree
only, so the machine itself is left alone.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess

import pytest
from people import ROOT, changed, left, processes_of, sleepers, told_apart, wait_for

from workshop.cluster import machine
from workshop.cluster.config import MARKER

pytestmark = pytest.mark.needs_slurm


def problem_of(result: subprocess.CompletedProcess) -> str:
    """The message of a command that must have failed in the plain way."""
    assert result.returncode == 1, result
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("Error: ")
    assert "\nWhat to do: " in result.stderr
    return result.stderr


OS_RELEASES = {
    "debian": ("ID=debian\n", "sudo apt install slurm-wlm munge"),
    "ubuntu": ('ID=ubuntu\nID_LIKE="debian"\n', "sudo apt install slurm-wlm munge"),
    "fedora": ("ID=fedora\n", "sudo dnf install slurm slurm-slurmctld slurm-slurmd munge"),
    "rocky": ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install epel-release"),
    "other": ("ID=arch\n", "Debian, Ubuntu: sudo apt install slurm-wlm munge"),
}


@pytest.mark.parametrize("name", OS_RELEASES)
def test_slurm_is_not_installed(ordinary, name):
    text, command = OS_RELEASES[name]
    release = ordinary.home / "os-release"
    release.write_text(text, encoding="utf-8")
    paths = " ".join(machine.find_program(program) for program in ("slurmctld", "munged"))
    hide = f"for p in {paths}; do mount --bind /dev/null $p; done; mount --bind {release} /etc/os-release"
    message = problem_of(changed(ordinary, hide, "up"))
    assert "no munged, slurmctld on PATH" in message
    assert command in message
    assert not ordinary.state.exists()


def test_accounting_is_not_installed(ordinary, require):
    require("accounting")
    hide = f"mount --bind /dev/null {machine.find_program('slurmdbd')}"
    result = changed(ordinary, hide, "up", "--wait-accounting")
    message = problem_of(result)
    assert "There is no accounting: no slurmdbd on this machine" in message
    assert "slurmdbd" in message.split("What to do: ")[1]
    # The cluster itself is up, and says so.
    assert "accounting: off, no slurmdbd here." in result.stdout
    assert ordinary.workshop("shell", "srun", "true").returncode == 0


def test_a_chosen_port_is_taken(ordinary, listener):
    # The fourth of the six. Ports that the kernel hands out, and those of jobs and clusters, lie above: any of these
    # may be another program's at the next moment.
    first = secrets.randbelow(9000) + 10_000
    while not all(map(machine.port_is_free, range(first, first + 6))):
        first += 6
    taken = listener(first + 3)
    message = problem_of(ordinary.workshop("up", "--first-port", str(first)))
    assert f"Port {taken} is taken by " in message
    # The tests' own process is visible to its own user only.
    owner = f"process {os.getpid()}" if ordinary.user is None else "another user's program"
    assert owner in message
    # The mend: leave the option out.
    assert ordinary.workshop("up", "--no-accounting").returncode == 0


def test_ports_that_are_taken_are_avoided(ordinary, listener):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    first = json.loads((ordinary.state / "settings.json").read_text())["first_port"]
    assert ordinary.workshop("down").returncode == 0
    with contextlib.suppress(OSError):  # or another program has it now
        listener(first)
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    assert json.loads((ordinary.state / "settings.json").read_text())["first_port"] != first


def test_a_port_is_taken_while_its_daemon_is_down(ordinary, listener):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    first = json.loads((ordinary.state / "settings.json").read_text())["first_port"]
    slurmd = next(process for process in processes_of(ordinary) if process.argv[-1] == "gpu2")
    os.kill(slurmd.pid, signal.SIGKILL)
    wait_for(lambda: machine.port_is_free(first + 4))
    listener(first + 4)
    assert "Down: slurmd gpu2." in ordinary.workshop("status").stdout
    message = problem_of(ordinary.workshop("up"))
    assert f"Port {first + 4}, which slurmd gpu2 needs, is taken by" in message
    # The mend.
    assert ordinary.workshop("down").returncode == 0
    assert ordinary.workshop("up", "--no-accounting").returncode == 0


def test_an_earlier_run_was_not_stopped(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    for process in processes_of(ordinary):
        with contextlib.suppress(ProcessLookupError):  # some end with those on which they depend
            os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: ordinary.workshop("status").returncode == 3)
    status = ordinary.workshop("status").stdout
    assert "Nothing of it runs" in status
    assert "Repair it with: workshop cluster up" in status
    result = ordinary.workshop("up")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("An earlier cluster here was never stopped")
    assert ordinary.workshop("status").returncode == 0


def runs(person, program: str) -> bool:
    return any(process.program == program for process in processes_of(person))


# Command -> signs of how far it is. All but two are tried by `make test-all` only.
EXTENSIVE = pytest.mark.extensive
HALFWAY = [
    pytest.param("up", lambda person: (person.state / MARKER).exists(), id="up-marked", marks=EXTENSIVE),
    pytest.param("up", lambda person: (person.state / "settings.json").exists(), id="up-settings", marks=EXTENSIVE),
    pytest.param("up", lambda person: runs(person, "munged"), id="up-munged", marks=EXTENSIVE),
    pytest.param("up", lambda person: runs(person, "slurmctld"), id="up-slurmctld"),
    pytest.param("down", lambda person: not runs(person, "slurmctld"), id="down-slurmctld"),
    pytest.param("down", lambda person: not runs(person, "munged"), id="down-munged", marks=EXTENSIVE),
    pytest.param("down", lambda person: not (person.state / "etc").exists(), id="down-etc", marks=EXTENSIVE),
]


@pytest.mark.slow
@pytest.mark.parametrize(("word", "sign"), HALFWAY)
def test_killed_halfway(ordinary, word, sign):
    words = ["up", "--no-accounting"] if word == "up" else ["down"]
    argv = [*ordinary.argv([ordinary.python()]), "-m", "workshop", "cluster", *words]
    if word == "down":
        assert ordinary.workshop("up", "--no-accounting").returncode == 0
    with subprocess.Popen(
        argv,
        env=ordinary.environment,
        cwd=ordinary.home,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        wait_for(lambda: sign(ordinary), pause=0.01)
        os.killpg(process.pid, signal.SIGKILL)
    result = ordinary.workshop("up", "--no-accounting")
    assert result.returncode == 0, result.stderr
    assert ordinary.workshop("status").returncode == 0
    assert ordinary.workshop("shell", "srun", "--nodes=2", "true").returncode == 0
    assert ordinary.workshop("down").returncode == 0
    assert processes_of(ordinary) == []
    assert left(ordinary) == [MARKER, "logs"]


def test_too_little_memory(ordinary):
    result = ordinary.run(["prlimit", f"--as={200 * 2**20}", ordinary.python(), "-m", "workshop", "cluster", "up"])
    message = problem_of(result)
    assert re.search(r"Too little memory: \d+ MiB are free for new programs", message)
    assert "ulimit -v" in message
    assert processes_of(ordinary) == []
    assert left(ordinary) == [MARKER, "logs"]


def test_memory_for_slurm_but_not_for_the_database(ordinary):
    limit = ["prlimit", f"--as={600 * 2**20}"]
    result = ordinary.run([*limit, ordinary.python(), "-m", "workshop", "cluster", "up"])
    assert result.returncode == 0, result.stderr
    assert "accounting: off" in result.stdout
    assert ordinary.workshop("shell", "srun", "true").returncode == 0


def check_without_names(person, result: subprocess.CompletedProcess) -> None:
    assert result.returncode == 0, result.stderr
    assert "names do NOT resolve" in result.stdout
    assert "/etc/hosts: 127.0.0.1 cpu1 cpu2 gpu1 gpu2" in result.stdout
    # Jobs run all the same, on two nodes and with GPUs.
    srun = ["srun", "--partition=gpu", "--nodes=2", "--gpus-per-node=2", "printenv", "CUDA_VISIBLE_DEVICES"]
    jobs = person.workshop("shell", "--", *srun)
    assert jobs.stdout == "0,1\n0,1\n", jobs.stderr
    # What follows, as the message says it.
    lookup = person.workshop("shell", "--", "srun", "python3", "-c", "import socket; socket.gethostbyname('cpu1')")
    assert re.search("Name or service not known|Temporary failure in name resolution", lookup.stderr)
    # Nothing stays after down, not even what left its job.
    nap = told_apart(976)
    escape = ["sbatch", "--output=/dev/null", f"--wrap=setsid -f sleep {nap}"]
    assert person.workshop("shell", "--", *escape).returncode == 0
    wait_for(lambda: sleepers(nap))
    assert person.workshop("down").returncode == 0
    assert processes_of(person) == []
    assert sleepers(nap) == []


def test_user_namespaces_are_forbidden(ordinary):
    # In a namespace whose own limit of further ones is zero; namespaces(7), /proc/sys/user.
    forbid = "echo 0 > /proc/sys/user/max_user_namespaces"
    check_without_names(ordinary, changed(ordinary, forbid, "up", "--no-accounting", drop=True))


@pytest.mark.skipif(not ROOT, reason="is about root without CAP_SYS_ADMIN; the tests run as an ordinary user")
def test_root_in_a_container_without_sys_admin(require, make_person):
    require("slurm")
    root = make_person(ordinary=False)
    argv = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", root.python(), "-m", "workshop"]
    check_without_names(root, root.run([*argv, "cluster", "up", "--no-accounting"]))


def test_a_real_slurm_is_configured(ordinary):
    real = ordinary.home / "etc-slurm"
    real.mkdir()
    text = "ClusterName=real\nSlurmctldHost=nowhere\nNodeName=n1 CPUs=1\nPartitionName=p Nodes=n1\n"
    (real / "slurm.conf").write_text(text, encoding="utf-8")
    (real / "plugstack.conf").write_text("required /nowhere.so\n", encoding="utf-8")
    before = {path.name: path.stat().st_mtime_ns for path in real.iterdir()}
    cover = f"mount --bind '{real}' /etc/slurm"
    # SLURM_CONF and SBATCH_PARTITION as a real cluster's profile may set them.
    result = changed(ordinary, cover, "up", "--no-accounting", SLURM_CONF="/etc/slurm/slurm.conf", SBATCH_PARTITION="p")
    assert result.returncode == 0, result.stderr
    assert "This machine has a Slurm of its own (/etc/slurm/slurm.conf)" in result.stdout
    shell = changed(ordinary, cover, "shell", "--", "scontrol", "show", "config", SLURM_CONF="/etc/slurm/slurm.conf")
    assert re.search(r"ClusterName\s+= practice", shell.stdout), shell.stderr
    assert changed(ordinary, cover, "shell", "--", "srun", "true").returncode == 0
    env = changed(ordinary, cover, "env", SBATCH_PARTITION="p").stdout
    assert "unset SBATCH_PARTITION\n" in env
    assert ordinary.workshop("down").returncode == 0
    assert {path.name: path.stat().st_mtime_ns for path in real.iterdir()} == before


def test_the_system_configuration_is_never_touched(cluster):
    # The shared cluster has been up for other tests: nothing in these folders is younger than it.
    begin = (cluster.places.state / "settings.json").stat().st_mtime
    for folder in ("/etc/slurm", "/etc/slurm-llnl", "/etc/munge", "/run/munge", "/var/lib/mysql", "/var/spool/slurmd"):
        for path, _, names in os.walk(folder):
            assert all(os.lstat(os.path.join(path, name)).st_mtime < begin for name in names), path


@pytest.mark.skipif(not ROOT, reason="needs two users: root makes the folder, an ordinary user may not write there")
def test_the_state_folder_is_not_writable(ordinary):
    message = problem_of(ordinary.workshop("up", WORKSHOP_CLUSTER_DIR=str(ordinary.home.parent / "sub")))
    assert "cannot be used: Permission denied" in message


def test_commands_without_a_cluster(ordinary):
    for words in (["env"], ["shell", "true"]):
        assert "No practice cluster is up" in problem_of(ordinary.workshop(*words))
    status = ordinary.workshop("status")
    assert status.returncode == 3
    assert "Start one with: workshop cluster up" in status.stdout


def test_settings_that_cannot_be_read(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    settings = ordinary.state / "settings.json"
    settings.write_text("{", encoding="utf-8")
    assert "is not a settings file" in problem_of(ordinary.workshop("up"))
    assert "is not a settings file" in problem_of(ordinary.workshop("status"))
    assert ordinary.workshop("down").returncode == 0
    assert processes_of(ordinary) == []
    assert ordinary.workshop("up", "--no-accounting").returncode == 0


def test_the_sockets_were_tidied_away(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    status = ordinary.workshop("status").stdout
    runtime = next(line.split()[-1] for line in status.splitlines() if "sockets:" in line)
    shutil.rmtree(runtime)
    assert ordinary.workshop("status").returncode == 1
    assert ordinary.workshop("up").returncode == 0
    assert ordinary.workshop("shell", "srun", "true").returncode == 0


@pytest.mark.parametrize("mend", ["down", "up"])
def test_the_state_folder_was_removed_while_it_ran(ordinary, mend):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    before = {process.pid for process in processes_of(ordinary)}
    shutil.rmtree(ordinary.state)
    assert ordinary.workshop("status").returncode == 3
    assert ordinary.workshop(mend).returncode == 0
    assert not before & {process.pid for process in processes_of(ordinary)}
    if mend == "up":
        assert ordinary.workshop("shell", "srun", "--nodes=2", "true").returncode == 0


def test_down_inside_a_job_says_so(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    argv = ["srun", ordinary.python(), "-m", "workshop", "cluster", "down"]
    result = ordinary.workshop("shell", "--", *argv)
    assert "runs inside a job of the practice cluster" in result.stderr
    assert ordinary.workshop("status").returncode == 0


def test_up_and_down_from_the_clusters_own_shell(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    for process in processes_of(ordinary):
        if process.program == "munged" or process.argv[-1] == "gpu1":
            os.kill(process.pid, signal.SIGKILL)
    inner = [ordinary.python(), "-m", "workshop", "cluster"]
    repaired = ordinary.workshop("shell", "--", *inner, "up")
    assert repaired.returncode == 0, repaired.stderr
    assert repaired.stdout.startswith("Started munged, slurmd gpu1.")
    assert ordinary.workshop("shell", "--", "srun", "--partition=gpu", "--nodes=2", "true").returncode == 0
    assert ordinary.workshop("shell", "--", *inner, "down").returncode == 0
    assert processes_of(ordinary) == []


def test_a_shell_command_that_does_not_exist(ordinary):
    assert ordinary.workshop("up", "--no-accounting").returncode == 0
    result = ordinary.workshop("shell", "nosuchcommand")
    assert result.returncode == 127
    assert "nosuchcommand: No such file or directory" in result.stderr
