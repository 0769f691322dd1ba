"""The practice machines for SSH: they are real, they are apart from this machine, and nothing of them stays."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workshop import practice_ssh
from workshop.practice_ssh import FORGE_NAME, LOGIN, LOGIN_NAME, NODE, Machines, NoPractice


@pytest.fixture(scope="module")
def machines(require):
    require("ssh")
    with Machines() as running:
        accept_key(running)
        yield running


def accept_key(machines: Machines) -> None:
    """Give the laptop a key that the cluster accepts."""
    machines.run('mkdir -m 700 ~/.ssh; ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519')
    there = machines.folder / "cluster" / ".ssh"
    there.mkdir(mode=0o700)
    (there / "authorized_keys").write_text((machines.folder / "laptop/.ssh/id_ed25519.pub").read_text())
    # Makes the cluster known to the laptop.
    assert ssh(machines, f"{LOGIN_NAME} hostname").strip() == LOGIN


def ssh(machines: Machines, words: str) -> str:
    return machines.run(f"ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o LogLevel=ERROR {words}")


def test_the_user_is_ordinary_and_has_her_own_home(machines):
    assert machines.run("whoami; pwd; ls -A").split() == ["ada", "/home/ada", ".ssh"]
    assert machines.run("id -u").strip() == "1000"
    assert "CapEff:\t0000000000000000" in machines.run("cat /proc/self/status")


def test_login_and_jump(machines):
    assert ssh(machines, f"{LOGIN_NAME} hostname").strip() == LOGIN
    assert "Could not resolve hostname" in ssh(machines, f"{NODE} hostname")
    # On the way -J takes no options: the login node is known by now.
    assert ssh(machines, f"-J {LOGIN_NAME} {NODE} hostname").strip() == NODE


def test_cluster_shares_one_home_and_the_laptop_has_another(machines):
    ssh(machines, f"{LOGIN_NAME} touch there")
    assert machines.run("ls ~/there", machine=NODE).strip() == "/home/ada/there"
    assert "No such file" in machines.run("ls ~/there")


def test_the_git_server_takes_keys_only_and_gives_no_shell(machines):
    """Cluster and laptop reach it by its name, as ``git``; the compute node does not know it."""
    where = f"git@{FORGE_NAME}"
    assert "Permission denied (publickey)" in ssh(machines, where)
    key = (machines.folder / "laptop/.ssh/id_ed25519.pub").read_text()
    (machines.folder / "git" / ".ssh" / "authorized_keys").write_text(key)
    assert "there is no shell here" in ssh(machines, f"-T {where}")
    assert "fatal" in ssh(machines, f"{where} ls /")
    subprocess.run(["git", "init", "--quiet", "--bare", machines.folder / "git" / "own.git"], check=True)
    assert "empty repository" in machines.run(f"git clone {where}:own.git; rm -r own")
    assert "Could not resolve hostname" in machines.run(f"ssh {where}", machine=NODE)


def test_nothing_of_this_machine_is_reached(machines):
    assert machines.run("cat /proc/net/route").strip().count("\n") == 0  # a header, no route to anywhere
    assert "laptop" in machines.run("hostname")
    with pytest.raises(OSError):
        __import__("socket").create_connection((practice_ssh.MACHINES[LOGIN], 22), timeout=0.5)


def test_a_terminal_works(machines):
    typed = Path(__file__).parents[1] / "sessions" / "typed.py"
    command = [sys.executable, str(typed), "--", "ssh", "-t", LOGIN_NAME, "tty"]
    done = subprocess.run(machines.command("laptop", *command), capture_output=True, text=True, timeout=60)
    assert "/dev/pts/" in done.stdout, done.stdout + done.stderr


def test_exit_codes_come_back(machines):
    assert subprocess.run(machines.command("laptop", "bash", "-c", "exit 7")).returncode == 7
    done = subprocess.run(machines.command("laptop", "no-such-command"), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (127, "no-such-command: No such file or directory\n")


def inside(namespace: str) -> list[str]:
    """Processes of this user in a network namespace."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "ns" / "net") == namespace:
                found.append(entry.name)
        except OSError:
            continue
    return found


def gone(namespace: str) -> bool:
    """Whether all processes in a namespace end; a busy machine may take a while."""
    deadline = time.monotonic() + 120
    while inside(namespace):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_down_ends_everything_and_removes_the_files(require):
    require("ssh")
    machines = Machines()
    machines.up()
    namespace = machines.run("readlink /proc/self/ns/net; setsid nohup sleep 300 > /dev/null 2>&1 &").strip()
    assert inside(namespace)
    machines.down()
    assert gone(namespace)
    assert not machines.folder.exists()


def test_all_ends_when_its_owner_is_killed(require):
    require("ssh")
    program = (
        "import time\nfrom workshop.practice_ssh import Machines\nm = Machines()\nm.up()\n"
        "print(m.folder, m.run('readlink /proc/self/ns/net').strip(), flush=True)\ntime.sleep(300)"
    )
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    folder, namespace = owner.stdout.readline().split()
    assert namespace.startswith("net:")
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    assert gone(namespace)
    assert not Path(folder).exists()


@pytest.mark.parametrize("name", ["thesis", "practice-ssh-mine", "practice-ssh-abcd1234"])
def test_hold_removes_no_folder_that_it_did_not_make(tmp_path, name):
    """Whatever its name: one in the temporary folder, and private, is made by mkdtemp(3) only."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "chapter").write_text("mine")
    command = [sys.executable, practice_ssh.__file__, "hold", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (folder / "chapter").read_text() == "mine"
    assert done.returncode == 1
    assert done.stdout == f"{folder} is no folder of practice machines, and would be removed. Use: workshop ssh\n"


def test_hold_follows_no_link(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder, link = tmp_path / "thesis", tmp_path / "practice-ssh-abcd1234"
    folder.mkdir(mode=0o700)
    link.symlink_to(folder)
    command = [sys.executable, practice_ssh.__file__, "hold", str(link)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 1 and "is no folder of practice machines" in done.stdout
    assert folder.is_dir() and link.is_symlink()


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr(practice_ssh, "_find", lambda name: None if name == "sshd" else f"/usr/bin/{name}")
    machines = Machines()
    with pytest.raises(NoPractice, match=r"no sshd.*apt install openssh-server"):
        machines.up()
    assert not machines.folder.exists()


def test_forbidden_namespaces_are_said(require, monkeypatch, tmp_path):
    require("ssh")
    # A kernel that refuses, as in a container without the right: the holder says so and ends.
    refusing = tmp_path / "refusing.py"
    refusing.write_text("print('unshare (user namespaces): Operation not permitted')")
    monkeypatch.setattr(practice_ssh, "__file__", str(refusing))
    with pytest.raises(NoPractice, match=r"user namespaces.*not permitted"):
        Machines().up()


def test_command_runs_words_and_hands_on_their_exit_code(require):
    require("ssh")
    done = subprocess.run(
        [sys.executable, "-m", "workshop", "ssh", "bash", "-c", "hostname; exit 3"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (3, "laptop\n")
