"""Find Apptainer, or install it without touching this machine's own packages.

An ``apptainer`` on PATH is used as it is. Otherwise Debian's package goes, with the newer Debian that it needs, into a
folder below the user's cache, made by mmdebstrap; ``enter.py`` runs it from there.
"""

import contextlib
import fcntl
import hashlib
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from workshop.apptainer import enter
from workshop.apptainer.errors import ApptainerError, FetchError

# Apptainer is in no stable Debian; the development suite is the only one that has it.
SUITE = "sid"
PACKAGES = (
    "apptainer",
    "ca-certificates",
    "debootstrap",
    "fakeroot",
    "fuse-overlayfs",
    "fuse2fs",
    "gocryptfs",
    "squashfuse",
    "tzdata",
    "uidmap",
)
# What apt says where the mirror could not be reached, or does not have the package.
NOT_FETCHED = re.compile(r"Failed to fetch|Unable to fetch|Unable to locate package|has no installation candidate")
USER = "student"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def cache() -> Path:
    """Folder of what takes long to make: $XDG_CACHE_HOME/workshop, else ~/.cache/workshop."""
    parent = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(parent).absolute() / "workshop"


def folder() -> Path:
    """Where the tree of the present recipe lies, or would lie."""
    recipe = Path(__file__).read_bytes() + Path(enter.__file__).read_bytes()
    return cache() / f"apptainer-{hashlib.sha256(recipe).hexdigest()[:12]}"


def wrapper() -> Path | None:
    """The program ``apptainer`` of the installed tree; None where there is no tree."""
    program = folder() / "bin" / "apptainer"
    return program if program.is_file() else None


def find() -> str | None:
    """Apptainer's program: that of PATH, else that of the tree, else None."""
    return shutil.which("apptainer") or (str(wrapper()) if wrapper() else None)


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Let one process at a time make the thing ``name``."""
    cache().mkdir(parents=True, exist_ok=True)
    with (cache() / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def debian_mirror() -> str:
    """The address from which this machine's own apt takes Debian; elsewhere the one built into debootstrap.

    Raises:
        ApptainerError: neither is here.
    """
    mirrors = set()
    if shutil.which("apt-get"):
        listing = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"]
        result = subprocess.run(listing, capture_output=True, text=True)
        for origin, component, address in (line.split(maxsplit=2) for line in result.stdout.splitlines()):
            if origin == "Debian" and component == "main" and "security" not in address:
                mirrors.add(address.rstrip("/"))
    return min(mirrors) if mirrors else _built_in_mirror()


def _built_in_mirror() -> str:
    program = shutil.which("debootstrap", path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin")
    found = re.search(r'^DEF_MIRROR="(\S+)"', Path(program).read_text(), flags=re.MULTILINE) if program else None
    if found is None:
        raise ApptainerError(
            "No mirror of Debian is known on this machine.", "apt-get update; apt-get install debootstrap"
        )
    return found[1]


def install() -> str:
    """Make the tree where Apptainer is missing; the path of the program.

    Raises:
        FetchError: the packages could not be fetched.
        ApptainerError: this machine lacks what making the tree needs.
    """
    with locked("apptainer"):
        found = find()
        if found:
            return found
        if shutil.which("mmdebstrap") is None or not KEYRING.is_file():
            raise ApptainerError("mmdebstrap is not installed.", "apt-get install mmdebstrap debian-archive-keyring")
        if os.geteuid() != 0:
            program = Path(sys.executable).with_name("workshop")
            raise ApptainerError(
                "Only root can make the tree that holds Apptainer.",
                f"once, with your own home folder: sudo --preserve-env=HOME {program} apptainer install",
            )
        target = folder()
        with tempfile.TemporaryDirectory(dir=cache()) as temporary:
            made = Path(temporary, "apptainer")
            made.mkdir()
            _fill_tree(made / "tree")
            _write_program(made, target)
            made.chmod(0o755)
            made.rename(target)
        return str(wrapper())


def _fill_tree(tree: Path) -> None:
    sources = f"deb [signed-by={KEYRING}] {debian_mirror()} {SUITE} main\n"
    # A mirror may be frozen at a day in the past; its signature still counts.
    options = ['APT::Install-Recommends "false"', 'Acquire::Check-Valid-Until "false"']
    command = ["mmdebstrap", "--variant=essential", f"--include={','.join(PACKAGES)}"]
    command += [f"--aptopt={option}" for option in options]
    result = subprocess.run([*command, SUITE, str(tree), "-"], input=sources, capture_output=True, text=True)
    if result.returncode != 0:
        last = "\n".join(result.stderr.splitlines()[-5:])
        if NOT_FETCHED.search(result.stderr):
            raise FetchError(f"Debian's package of Apptainer could not be fetched:\n{last}", "try again later.")
        raise ApptainerError(f"mmdebstrap could not make the tree that holds Apptainer:\n{last}", "see what it says.")
    for name in ("hosts", "resolv.conf", "localtime"):  # this machine's own files are mounted over them
        (tree / "etc" / name).unlink(missing_ok=True)
        (tree / "etc" / name).touch()
    for name in ("passwd", "group", "subuid", "subgid"):
        with (tree / "etc" / name).open("a") as file:
            file.write(_entries()[name])
    # Owned by what is root inside (see enter.py), these two may write the maps of user namespaces.
    for name in ("newuidmap", "newgidmap"):
        os.chown(tree / "usr/bin" / name, enter.FIRST_OUTSIDE, enter.FIRST_OUTSIDE)
        (tree / "usr/bin" / name).chmod(0o4755)


def _entries() -> dict[str, str]:
    """What the tree's files say about the ordinary user inside."""
    home = pwd.getpwuid(os.geteuid()).pw_dir
    return {
        "passwd": f"{USER}:x:{enter.USER_ID}:{enter.USER_ID}::{home}:/bin/bash\n",
        "group": f"{USER}:x:{enter.USER_ID}:\n",
        "subuid": f"{USER}:{enter.RANGE}:{enter.RANGE}\n",
        "subgid": f"{USER}:{enter.RANGE}:{enter.RANGE}\n",
    }


def _write_program(made: Path, target: Path) -> None:
    program = made / "bin" / "apptainer"
    program.parent.mkdir()
    # enter.py goes along: the program must work for every clone of the repository.
    shutil.copy(enter.__file__, made / "enter.py")
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    line = [python, "-I", str(target / "enter.py"), str(target / "tree"), "/usr/bin/apptainer"]
    program.write_text(f'#!/bin/sh\nexec {shlex.join(line)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
