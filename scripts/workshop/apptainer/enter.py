"""Run a program of another Debian's tree as an ordinary user of that tree: `python3 enter.py TREE PROGRAM [ARG]...`.

Apptainer needs a newer C library than Debian 12 has. It therefore lives in a folder that holds a small newer Debian,
and this program makes that folder the root of a mount namespace. Everything of this machine that a job works with
(home, temporary and project folders, devices, the names in /etc/hosts) is mounted at the same path inside, so that a
path means the same on both sides.

Inside, the caller is an ordinary user (``USER_ID``), because that is how people use Apptainer on a cluster; the files
that this user writes belong to the caller outside. Root may hand the user a range of subordinate ids, as administrators
do in /etc/subuid, and then `--fakeroot` works; for anybody else it does not.

Uses the standard library only, as it runs with the system's Python.
"""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

USER_ID = 1000
# Inside the namespace the users 1 to 65535 exist, and above them the range of /etc/subuid, 65536 ids long.
RANGE = 65_536
# Outside these are numbers that no account has. Only root can use them.
FIRST_OUTSIDE = 1_000_000_000
SYSTEM = {"bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "lost+found", "sbin", "usr", "var"}

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_SLAVE = 0x1000, 0x4000, 0x80000
MNT_DETACH = 2
_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> None:
    """Call a function of the C library; OSError where it returns an error."""
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mount(source: str, target: str, flags: int) -> None:
    _call("mount", source.encode(), target.encode(), None, flags, None)


def uid_map(root: bool, caller: int) -> str:
    """Lines ``inside outside count`` for /proc/PID/uid_map.

    Args:
        root: the caller is root in its own user namespace and may map any id.
        caller: the caller's id.
    """
    if not root:
        return f"{USER_ID} {caller} 1\n"
    rest = USER_ID + 1
    return f"0 {FIRST_OUTSIDE} {USER_ID}\n{USER_ID} {caller} 1\n{rest} {FIRST_OUTSIDE + rest} {2 * RANGE - rest}\n"


def _in_new_namespace(flags: int, uids: str, gids: str) -> None:
    """Move this process into new namespaces whose maps a child outside of them writes."""
    go_read, go_write = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.read(go_read, 1)
        status = 0
        try:
            with contextlib.suppress(OSError):  # only needed, and only allowed, where the caller is not root
                Path(f"/proc/{parent}/setgroups").write_text("deny" if uids.count("\n") == 1 else "allow")
            Path(f"/proc/{parent}/uid_map").write_text(uids)
            Path(f"/proc/{parent}/gid_map").write_text(gids)
        except OSError as error:
            print(f"cannot enter the tree: {error}", file=sys.stderr)
            status = 1
        os._exit(status)
    _call("unshare", flags)
    os.write(go_write, b"x")
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit(1)
    os.close(go_read)
    os.close(go_write)


def may_map_any_id() -> bool:
    """Whether this process is a root that may hand out ids: in a namespace of one user even "root" may not."""
    if os.geteuid() != 0:
        return False
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(
        int(first) <= FIRST_OUTSIDE and int(first) + int(count) > FIRST_OUTSIDE + 2 * RANGE
        for first, _, count in ranges
    )


def _mount_tree(tree: str) -> None:
    """Make ``tree`` the root folder, with the machine's own folders mounted where they were."""
    _mount("none", "/", MS_REC | MS_SLAVE)
    _mount(tree, tree, MS_BIND | MS_REC)
    for entry in sorted(os.scandir("/"), key=lambda e: e.name):
        if entry.name in SYSTEM or entry.is_symlink() or not entry.is_dir():
            continue
        target = Path(tree, entry.name)
        with contextlib.suppress(PermissionError):  # the tree belongs to somebody else and lacks the folder
            target.mkdir(exist_ok=True)
            _mount(entry.path, str(target), MS_BIND | MS_REC)
    for path in ("/var/tmp", "/etc/hosts", "/etc/resolv.conf", "/etc/localtime"):
        if os.path.exists(path) and os.path.exists(tree + path):
            _mount(path, tree + path, MS_BIND | MS_REC)
    os.chdir(tree)
    _call("pivot_root", b".", b"mnt")
    os.chdir("/")
    _call("umount2", b"/mnt", MNT_DETACH)


def main() -> None:
    """Enter the tree and run the program."""
    tree, *command = sys.argv[1:]
    folder = os.getcwd()
    root = may_map_any_id()
    uid, gid = os.geteuid(), os.getegid()
    if root:
        _call("unshare", CLONE_NEWNS)
    else:
        _in_new_namespace(CLONE_NEWUSER | CLONE_NEWNS, f"0 {uid} 1\n", f"0 {gid} 1\n")
        uid = gid = 0
    _mount_tree(tree)
    _in_new_namespace(CLONE_NEWUSER, uid_map(root, uid), uid_map(root, gid))
    if root:
        # Further groups of the caller stay where the map knows them; the others show as the overflow group.
        overflow = int(Path("/proc/sys/kernel/overflowgid").read_text())
        os.setgroups([group for group in os.getgroups() if group != overflow])
    os.setresgid(USER_ID, USER_ID, USER_ID)
    os.setresuid(USER_ID, USER_ID, USER_ID)
    try:
        os.chdir(folder)
    except OSError:
        os.chdir("/")
    os.environ["PATH"] = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
