"""Practice machines for SSH: a laptop, a login node, a compute node and a git server on one machine, without root.

``workshop ssh`` opens a shell on the laptop; the console sessions of the chapter on connecting run there, its notebook
uses ``Machines``. Everything is real OpenSSH; only the machines are made up:

* Each machine is a process with its own mounts and host name (``mount_namespaces(7)``, ``uts_namespaces(7)``). All
  share one network (and so one ``localhost``) that leads nowhere else (``network_namespaces(7)``), with the addresses
  of ``MACHINES``, which are reserved for documentation (RFC 5737), and one process table (``pid_namespaces(7)``): when
  its first process ends, all others do.
* The person is called ``ada``. On each machine her home is ``/home/ada``; the login node and the compute node share
  theirs, as on a cluster. Your own ``~/.ssh`` is not used.
* On the git server everybody is ``git``, as at GitHub and GitLab: keys only, and ``git-shell`` in place of a shell.
* ``sshd`` runs as that ordinary user, once for each connection (``sshd -i``): no root, no port of this machine.

Like ``cluster/inside.py`` this file is also run as a script, and then needs the standard library only.
"""

import contextlib
import ctypes
import fcntl
import os
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

USER = "ada"
HOME = f"/home/{USER}"
# Her group has another member, as on a cluster: what the group may write is not hers alone.
GROUP = "physics"
ID = 1000
PASSWORD = "correct-horse"
# openssl passwd -6 -salt practice correct-horse
_HASH = "$6$practice$Wu8vpWdDCFRuOpOKbkfIAHnVCiKw3ykN.He95k9meIv4bNK3xh6nYx8wSMdbYQDbuJjpjLDcSdyOMZ/A4pGnL1"
# The user that sshd looks for, though it never becomes that user here.
_SSHD_USER = "sshd:x:104:65534::/run/sshd:/usr/sbin/nologin\n"

LAPTOP, LOGIN, NODE, FORGE = "laptop", "login1", "c1", "git"
LOGIN_NAME, FORGE_NAME = "login.cluster.example", "git.example.org"
# Machine -> its address.
MACHINES = {LAPTOP: "192.0.2.10", LOGIN: "192.0.2.11", NODE: "192.0.2.12", FORGE: "192.0.2.13"}
# Machine -> names that it can resolve: the compute node's is known inside the cluster only, and has no way out itself.
_KNOWS = {
    LAPTOP: {LOGIN_NAME: LOGIN, FORGE_NAME: FORGE},
    LOGIN: {LOGIN_NAME: LOGIN, LOGIN: LOGIN, NODE: NODE, FORGE_NAME: FORGE},
    NODE: {LOGIN_NAME: LOGIN, LOGIN: LOGIN, NODE: NODE},
    FORGE: {},
}
# Machine -> the folder that holds its users' home.
_HOMES = {LAPTOP: "laptop", LOGIN: "cluster", NODE: "cluster", FORGE: "git"}
# The login shell of the git server's one user runs this for people who bring no git command.
_NO_SHELL = """\
#!/bin/sh
echo "Hi ada! You have logged in, but there is no shell here."
exit 1
"""
_SSHD_CONFIG = """\
HostKey {folder}/hostkey-{machine}
PasswordAuthentication {password}
KbdInteractiveAuthentication no
UsePAM no
PidFile none
PrintMotd no
PrintLastLog no
Subsystem sftp {sftp}
SetEnv TMUX_TMPDIR={home} LANG=C.UTF-8
"""
_SBIN = ("/usr/local/sbin", "/usr/sbin", "/sbin")
_SFTP = ("/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server")

# Beginning of the name of the folder of some machines; `hold` removes no other folder.
_PREFIX = "practice-ssh-"
NEWNS, NEWUTS, NEWUSER, NEWPID, NEWNET = 0x00020000, 0x04000000, 0x10000000, 0x20000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
SIOCSIFADDR, SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8916, 0x8913, 0x8914, 1
PR_SET_PDEATHSIG = 1


class NoPractice(Exception):
    """This machine cannot run the practice machines; the message says why."""


def missing() -> list[str]:
    """Programs that the practice machines need and this machine lacks."""
    found = {name: _find(name) for name in ("ssh", "ssh-keygen", "sshd")}
    return [name for name, path in found.items() if path is None]


def _find(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *_SBIN)))


class Machines:
    """Four practice machines; use it in a ``with`` block, or call ``up`` and ``down``.

    Attributes:
        folder: holds the homes of the laptop (``laptop``), of the cluster (``cluster``) and of the git server
            (``git``, with its repositories), and the host keys.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._holder: subprocess.Popen | None = None
        self._pids: dict[str, str] = {}

    def __enter__(self) -> "Machines":
        self.up()
        return self

    def __exit__(self, *exc: object) -> None:
        self.down()

    def up(self) -> None:
        """Start the machines.

        Raises:
            NoPractice: programs are missing, or the kernel forbids namespaces; nothing is left running.
        """
        try:
            self._up()
        except BaseException:
            self.down()
            raise

    def _up(self) -> None:
        if sys.platform != "linux":
            raise NoPractice("The practice machines need Linux.")
        if lacks := missing():
            raise NoPractice(
                f"OpenSSH is not completely installed here: no {', '.join(lacks)}. "
                "On Debian and Ubuntu: sudo apt install openssh-server openssh-client"
            )
        for home in set(_HOMES.values()):
            (self.folder / home).mkdir(mode=0o755)
        # The prompt of many clusters: user, machine, folder.
        (self.folder / "cluster" / ".bash_profile").write_text("PS1='[\\u@\\h \\W]\\$ '\n")
        (self.folder / "git" / ".ssh").mkdir(mode=0o700)
        (self.folder / "git" / "git-shell-commands").mkdir()
        message = self.folder / "git" / "git-shell-commands" / "no-interactive-login"
        message.write_text(_NO_SHELL)
        message.chmod(0o755)
        for machine in (LOGIN, NODE, FORGE):
            self.new_host_key(machine)
        # The holder ends, and all machines with it, when this pipe is closed: at `down`, or at our own death.
        command = [sys.executable, __file__, "hold", str(self.folder)]
        self._holder = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        for line in self._holder.stdout:
            if line == "ready\n":
                return
            name, _, value = line.strip().partition(" ")
            if name not in MACHINES or not value.isdigit():
                raise NoPractice(f"No practice machines: {line.strip()}")
            self._pids[name] = value
        raise NoPractice("No practice machines: they ended at once.")

    def down(self) -> None:
        """End all machines, with every process on them, and remove their files."""
        if self._holder:
            self._holder.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._holder.wait(10)
            self._holder.stdout.close()
            self._holder = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_host_key(self, machine: str = LOGIN) -> None:
        """Give a machine a new host key, as when it is installed anew."""
        path = self.folder / f"hostkey-{machine}"
        for old in (path, path.with_name(path.name + ".pub")):
            old.unlink(missing_ok=True)
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", machine, "-f", str(path)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    def command(self, machine: str, *words: str) -> list[str]:
        """The command that runs ``words`` on a machine."""
        return [sys.executable, __file__, "enter", self._pids[machine], str(self.folder), machine, *words]

    def run(self, command: str, machine: str = LAPTOP, timeout_s: float = 60) -> str:
        """Run a bash command on a machine (the laptop) without a terminal; what it prints, errors included."""
        done = subprocess.run(
            self.command(machine, "bash", "-c", command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )
        return done.stdout


# --- what follows runs in processes of their own ---


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mount.argtypes = (*[ctypes.c_char_p] * 3, ctypes.c_ulong, ctypes.c_char_p)
    return libc


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _made_by_us(folder: Path) -> bool:
    """Whether ``Machines`` made this folder: ours alone, under a name that mkdtemp(3) makes in the temporary folder."""
    name = re.fullmatch(re.escape(_PREFIX) + "[a-z0-9_]{8}", folder.name)
    if not name or folder.parent != Path(tempfile.gettempdir()):
        return False
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700 and found.st_uid == os.geteuid()


def _hold(folder: Path) -> None:
    """Make the namespaces, start the machines, wait until standard input is closed, and remove the folder."""
    if not _made_by_us(folder):
        raise OSError(0, f"{folder} is no folder of practice machines, and would be removed. Use: workshop ssh")
    libc = _libc()
    uid, gid = os.geteuid(), os.getegid()
    _check(libc.unshare(NEWUSER | NEWNS | NEWUTS | NEWPID | NEWNET), "unshare (user namespaces)")
    # The kernel wants setgroups denied before an ordinary user may map a group (user_namespaces(7)).
    for name, text in (("setgroups", "deny"), ("uid_map", f"{ID} {uid} 1"), ("gid_map", f"{ID} {gid} 1")):
        Path(f"/proc/self/{name}").write_text(text)
    _check(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "make mounts private")
    first = os.fork()  # process 1 of the new process table
    if first == 0:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        _first_process(libc, folder)
    while os.read(0, 1024):
        pass
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    shutil.rmtree(folder, ignore_errors=True)


def _first_process(libc: ctypes.CDLL, folder: Path) -> None:
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    _network()
    for machine in MACHINES:
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            _be(libc, folder, machine, writing)
        os.close(writing)
        print(machine, os.read(reading, 4096).decode() or "did not start", flush=True)
        os.close(reading)
    print("ready", flush=True)
    while True:  # orphans of all machines end up here
        os.wait()


def _network() -> None:
    """Switch the loopback device on and give it the machines' addresses (netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for number, address in enumerate(MACHINES.values()):
            name = f"lo:{number}".encode()
            request = struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(sock, SIOCSIFADDR, request)
        flags = struct.unpack("16sh", fcntl.ioctl(sock, SIOCGIFFLAGS, struct.pack("16sh", b"lo", 0)))[1]
        fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sh", b"lo", flags | IFF_UP))


def _be(libc: ctypes.CDLL, folder: Path, machine: str, said: int) -> None:
    """Be one machine: its own mounts and name, and a server where it has one."""
    _check(libc.unshare(NEWNS | NEWUTS), "unshare")
    socket.sethostname(machine)
    _mount_home(libc, folder, machine)
    _mount_files(libc, folder, machine)
    # /proc still shows the outer numbers of processes, which `enter` needs.
    me = os.path.basename(os.readlink("/proc/self"))
    if machine == LAPTOP:
        os.write(said, me.encode())
        os.close(said)
        while True:
            signal.pause()
    config = folder / f"sshd-{machine}"
    sftp = next((path for path in _SFTP if os.path.exists(path)), "internal-sftp")
    password = "yes" if machine == LOGIN else "no"
    config.write_text(_SSHD_CONFIG.format(folder=folder, machine=machine, sftp=sftp, home=HOME, password=password))
    with socket.create_server((MACHINES[machine], 22)) as server:
        os.write(said, me.encode())
        os.close(said)
        _serve(server, config)


def _serve(server: socket.socket, config: Path) -> None:
    """One ``sshd`` for each connection."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the children need nobody to wait for them
    sshd, log = _find("sshd"), config.with_suffix(".log")
    while True:
        connection, _ = server.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            for target in (0, 1):
                os.dup2(connection.fileno(), target)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.execv(sshd, [sshd, "-i", "-f", str(config), "-E", str(log)])
        connection.close()


def _mount_home(libc: ctypes.CDLL, folder: Path, machine: str) -> None:
    """An own ``/home`` that shows ada's home, and what the programs of this repository need of the old one."""
    paths = [Path(path) for path in (__file__, sys.prefix, sys.base_prefix, folder, os.getcwd())]
    needed = {*paths, *(path.resolve() for path in paths)}
    homes = {path.parts[2] for path in needed if path.parts[:2] == ("/", "home") and len(path.parts) > 2}
    if USER in homes:
        raise OSError(0, f"this repository lies below {HOME}, which the practice machines use themselves")
    kept = {name: os.open(f"/home/{name}", os.O_PATH) for name in homes}
    own = os.open(folder / _HOMES[machine], os.O_PATH)
    _check(libc.mount(b"tmpfs", b"/home", b"tmpfs", 0, b"mode=755"), "mount /home")
    for name, handle in {**kept, ("git" if machine == FORGE else USER): own}.items():
        target = f"/home/{name}".encode()
        os.mkdir(target)
        _check(libc.mount(f"/proc/self/fd/{handle}".encode(), target, None, MS_BIND | MS_REC, None), f"mount {target}")
        os.close(handle)


def _mount_files(libc: ctypes.CDLL, folder: Path, machine: str) -> None:
    """What a machine says about its users and its neighbors."""
    tty = _group_of_a_terminal()
    hosts = "".join(f"{MACHINES[owner]} {name}\n" for name, owner in _KNOWS[machine].items())
    person = f"{USER}:{_HASH}:{ID}:{ID}:Ada:{HOME}:/bin/bash\n"
    if machine == FORGE:
        person = f"git:*:{ID}:{ID}::/home/git:{_find('git-shell') or '/bin/false'}\n"
    files = {
        "/etc/passwd": person + _SSHD_USER,
        # sshd gives a terminal to the group tty, which an ordinary user may not: so name tty what it has already.
        "/etc/group": f"{GROUP}:x:{ID}:{USER},ben\ntty:x:{tty}:\n",
        "/etc/hosts": f"127.0.0.1 localhost\n{hosts}",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
        # The defaults of OpenSSH, on the machines' one kind of address.
        "/etc/ssh/ssh_config": "AddressFamily inet\n",
        "/etc/motd": "",
        # Lmod asks /proc for the shell's own number, which is another one in here, and would complain at each login.
        "/etc/profile.d/lmod.sh": "",
    }
    for path, text in files.items():
        if os.path.exists(path):
            own = folder / f"{machine}{path.replace('/', '-')}"
            own.write_text(text)
            _check(libc.mount(os.fsencode(own), path.encode(), None, MS_BIND, None), f"mount {path}")


def _group_of_a_terminal() -> int:
    ours, theirs = os.openpty()
    group = os.fstat(theirs).st_gid
    os.close(ours)
    os.close(theirs)
    return group


def _enter(pid: str, folder: Path, machine: str, command: list[str]) -> None:
    """Become a command on a machine; the parent waits for it, since a process table is entered by a child."""
    libc = _libc()
    places = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY) for name in ("user", "net", "pid", "uts", "mnt")]
    for place in places:
        _check(libc.setns(place, 0), "setns")
        os.close(place)
    child = os.fork()
    if child == 0:
        _own_terminal()
        os.chdir("/home/git" if machine == FORGE else HOME)
        env = {k: v for k, v in os.environ.items() if not k.startswith(("SSH_", "TMUX", "XDG_", "LC_"))}
        env |= {"HOME": HOME, "USER": USER, "LOGNAME": USER, "SHELL": "/bin/bash", "LANG": "C.UTF-8", "PWD": HOME}
        env |= {"PRACTICE_SSH": str(folder), "TMUX_TMPDIR": HOME}
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the command would, too
        try:
            os.execvpe(command[0], command, env)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
            os._exit(127)
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def _own_terminal() -> None:
    """Where there is a terminal: a process group that a shell can find in its own process table."""
    if not os.isatty(0):
        return
    os.setpgid(0, 0)
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, before)


def _script(arguments: list[str]) -> None:
    match arguments:
        case ["hold", folder]:
            try:
                _hold(Path(folder))
            except OSError as error:
                print(error.strerror or error, flush=True)
                os._exit(1)
        case ["enter", pid, folder, machine, *command]:
            _enter(pid, Path(folder), machine, command)


if __name__ == "__main__":
    _script(sys.argv[1:])
