"""Run one command where the names of the practice cluster's nodes resolve.

This file is run as a script, ``python3 inside.py HOSTS HOSTNAME DEVICES PROGRAMS PID COMMAND [ARGUMENT ...]``,
and becomes the command (same process id). The command gets its own mount namespace, in which the file HOSTS lies over
``/etc/hosts``, and its own UTS namespace, in which the machine is called HOSTNAME. An ordinary user gets both through
a user namespace; the command still runs as that user and without any capability.

DEVICES is a folder of empty files, or ``-``. Each file in it is turned into a character device that leads nowhere
(``/dev/null``): Slurm hands out GPUs only where it finds character devices for them.

PROGRAMS is a folder of programs, or ``-``. Each takes the place of this machine's program of the same name: a job that
is given the system's own PATH must find the same Slurm as all others.

PID is a process whose user namespace the command shares, or 0 for a new one. All processes of a cluster share one, so
that each may look at the others (debuggers, ``workshop cluster down``); the kernel forbids that between siblings.

Why a script and not ``unshare``: the options that this needs came with util-linux 2.36, and ``unshare`` would leave
capabilities behind. Source: unshare(2), user_namespaces(7), capabilities(7).
"""

import ctypes
import glob
import os
import signal
import socket
import sys

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWUSER = 0x10000000
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000

# Exit status for "no namespace": 125 as in env(1) and chroot(1), where the wrapper itself fails.
NO_NAMESPACE = 125


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _join_user_namespace(libc: ctypes.CDLL, pid: int) -> bool:
    """Move into the user namespace of another process; False where that is impossible or it is gone."""
    try:
        with open(f"/proc/{pid}/ns/user", "rb") as namespace:
            return libc.setns(namespace.fileno(), CLONE_NEWUSER) == 0
    except OSError:
        return False


def new_namespaces(libc: ctypes.CDLL, pid: int) -> None:
    """Give this process its own mounts and host name, in a new user namespace or in that of process ``pid``.

    Raises:
        OSError: the kernel or the administrator forbids it.
    """
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        # Root needs no user namespace, and jobs started by root's slurmd must be able to change user.
        _check(libc.unshare(CLONE_NEWNS | CLONE_NEWUTS), "unshare")
        return
    if pid and _join_user_namespace(libc, pid):
        _check(libc.unshare(CLONE_NEWNS | CLONE_NEWUTS), "unshare")
        return
    _check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS), "unshare")
    # The kernel wants setgroups denied before an ordinary user may map a group (user_namespaces(7)).
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _bind(libc: ctypes.CDLL, source: str, target: str) -> None:
    _check(libc.mount(os.fsencode(source), os.fsencode(target), None, MS_BIND, None), f"mount over {target}")


def _take_places(libc: ctypes.CDLL, programs: str) -> None:
    """Let each program in a folder lie over this machine's program of its name."""
    for name in sorted(os.listdir(programs)):
        for folder in ("/usr/bin", "/usr/sbin"):
            if os.path.isfile(os.path.join(folder, name)):
                _bind(libc, os.path.join(programs, name), os.path.join(folder, name))
    # They look for plugins where this machine's own ones lie, unless a configuration names another folder.
    for folder in glob.glob("/usr/lib/*/slurm-wlm"):
        _bind(libc, os.path.join(os.path.dirname(os.path.realpath(programs)), "plugins"), folder)


def enter(hosts: str, hostname: str, devices: str, programs: str, pid: int) -> None:
    """Change this process's mounts and host name; it loses its capabilities at the next ``exec``."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mount.argtypes = (*[ctypes.c_char_p] * 3, ctypes.c_ulong, ctypes.c_char_p)
    new_namespaces(libc, pid)
    # Private: what is mounted here must not show up outside.
    _check(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "make mounts private")
    _bind(libc, hosts, "/etc/hosts")
    if devices != "-":
        for name in sorted(os.listdir(devices)):
            _bind(libc, "/dev/null", os.path.join(devices, name))
    if programs != "-":
        _take_places(libc, programs)
    socket.sethostname(hostname)


def main(arguments: list[str]) -> None:
    hosts, hostname, devices, programs, pid, *command = arguments
    try:
        enter(hosts, hostname, devices, programs, int(pid))
    except OSError as error:
        print(f"no namespace: {error}", file=sys.stderr)
        sys.exit(NO_NAMESPACE)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the command would, too
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        # The shell's convention: 127 not found, 126 found but not runnable.
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main(sys.argv[1:])
