"""Another version of Slurm for the practice cluster, beside the one that this machine's packages bring.

Debian's own packages of another release are unpacked into a folder below the user's cache: no root is needed, and
nothing of this machine changes. Their programs are told to take the C library of that release from the same folder
(patchelf), so that they start on an older Debian. Jobs run on this machine as ever: only Slurm itself is another one.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from workshop.apptainer import tree
from workshop.apptainer.errors import ApptainerError
from workshop.cluster import machine
from workshop.cluster.errors import ClusterError

# Version -> the suite of Debian that has it. The development suite goes on to the next one some day.
SUITES = {"24.11": "trixie", "26.05": "sid"}
PACKAGES = ("slurm-client", "slurmctld", "slurmd", "slurmdbd", "munge", "patchelf")
# Debian's packages give some of Slurm's programs names of their own.
DEBIAN_SUFFIX = "-wlm"
PATIENCE = 300  # seconds for all downloads


def installed(version: str) -> Path | None:
    """The folder of the programs of a version that was fetched before; None where it was not."""
    programs = _folder(version) / "bin"
    return programs if programs.is_dir() else None


def install(version: str) -> Path:
    """Fetch a version where it is missing; the folder of its programs.

    Raises:
        ClusterError: no release of Debian that is known here has this version, or its packages cannot be had.
    """
    if version not in SUITES:
        raise ClusterError(
            f"Slurm {version} cannot be had for the practice cluster.",
            f"Choose one of {', '.join(SUITES)}, or leave --slurm out for the one that is installed here.",
        )
    with tree.locked(f"slurm-{version}"):
        programs = installed(version)
        return programs or _make(version)


def _folder(version: str) -> Path:
    """Where the tree of the present recipe lies, or would lie."""
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return tree.cache() / f"slurm-{version}-{recipe[:12]}"


def _make(version: str) -> Path:
    target = _folder(version)
    with tempfile.TemporaryDirectory(dir=tree.cache(), prefix="slurm-") as temporary:
        folder = Path(temporary)
        unpacked = folder / "unpacked"
        for package in _download(folder, SUITES[version]):
            _run(["dpkg-deb", "--extract", package, unpacked], f"unpack {package.name}")
        made = folder / "made"
        _keep(unpacked, made)
        _patch(unpacked, made, target)
        made.rename(target)
    _verify(version, target)
    return target / "bin"


def _download(folder: Path, suite: str) -> list[Path]:
    """Slurm's packages of a suite with all that they need, fetched by apt with files of its own below ``folder``."""
    missing = [name for name in ("apt-get", "dpkg-deb") if shutil.which(name) is None]
    if missing or not tree.KEYRING.is_file():
        raise ClusterError(
            "Another version of Slurm is taken from Debian's packages, and this machine lacks "
            f"{', '.join(missing) or tree.KEYRING}.",
            "On Debian and Ubuntu: sudo apt install debian-archive-keyring. Elsewhere leave --slurm out.",
        )
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()  # as if nothing were installed
    try:
        mirror = tree.debian_mirror()
    except ApptainerError as error:
        problem, _, mend = str(error).partition("\nWhat to do: ")
        raise ClusterError(problem, mend) from None
    (folder / "sources.list").write_text(f"deb [signed-by={tree.KEYRING}] {mirror} {suite} main\n", encoding="utf-8")
    apt = ["apt-get", *(f"--option={option}" for option in _apt_options(folder))]
    _run([*apt, "update"], "read Debian's list of packages")
    _run([*apt, "--yes", "--download-only", "install", *PACKAGES], "fetch Debian's packages of Slurm")
    return sorted((folder / "cache/archives").glob("*.deb"))


def _apt_options(folder: Path) -> list[str]:
    return [
        f"Dir::State={folder}/state",
        f"Dir::State::status={folder}/status",
        f"Dir::Cache={folder}/cache",
        f"Dir::Etc::sourcelist={folder}/sources.list",
        "Dir::Etc::sourceparts=-",
        "APT::Install-Recommends=false",
        # A mirror may be frozen at a day in the past; its signature still counts.
        "Acquire::Check-Valid-Until=false",
        "Acquire::Languages=none",
        # Where root runs this, apt's own user may not write into root's cache.
        "APT::Sandbox::User=",
        "Debug::NoLocking=true",
    ]


def _run(command: Iterable[str | Path], what: str) -> None:
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if result.returncode != 0:
        said = "\n".join(f"    {line}" for line in (result.stdout + result.stderr).splitlines()[-5:])
        raise ClusterError(f"Could not {what}:\n{said}", "Try again later, or leave --slurm out.")


def _libraries(root: Path) -> Path:
    """The folder of the C library, such as ROOT/usr/lib/x86_64-linux-gnu."""
    return next(root.glob("usr/lib/*/libc.so.6")).parent


def _keep(unpacked: Path, made: Path) -> None:
    """Copy programs of Slurm and munge, their plugins, and the libraries that they need."""
    (made / "bin").mkdir(parents=True)
    wanted = re.compile(
        rf"(s(acct|acctmgr|alloc|attach|batch|bcast|cancel|control|crontab|diag|info|prio|queue|report|run|"
        rf"share|stat|trigger|lurm\w+)|m?(un)?munged?|remunge)({DEBIAN_SUFFIX})?"
    )
    for program in (*unpacked.glob("usr/bin/*"), *unpacked.glob("usr/sbin/*")):
        if program.is_file() and not program.is_symlink() and wanted.fullmatch(program.name):
            shutil.copy2(program, made / "bin" / program.name.removesuffix(DEBIAN_SUFFIX))
    libraries = _libraries(unpacked)
    shutil.copytree(libraries / "slurm-wlm", made / "plugins", symlinks=True)
    shutil.copytree(
        libraries, made / "lib", symlinks=True, ignore=lambda _, names: [n for n in names if ".so" not in n]
    )


def _patch(unpacked: Path, made: Path, target: Path) -> None:
    """Let the programs take loader and libraries from ``target``, where they will lie."""
    libraries = _libraries(unpacked)
    loader = next(libraries.glob("ld-linux*.so.*"))
    patchelf = [loader, "--library-path", libraries, unpacked / "usr/bin/patchelf"]
    # The old kind of search path counts for the libraries of libraries, too.
    search = ["--force-rpath", "--set-rpath", f"{target}/plugins:{target}/lib"]
    programs = [path for path in (made / "bin").iterdir() if path.read_bytes()[:4] == b"\x7fELF"]
    interpreter = ["--set-interpreter", target / "lib" / loader.name]
    _run([*patchelf, *search, *interpreter, *programs], "prepare Slurm's programs")
    plugins = [path for path in (made / "plugins").rglob("*.so*") if not path.is_symlink()]
    _run([*patchelf, *search, *plugins], "prepare Slurm's plugins")


def _verify(version: str, target: Path) -> None:
    """Make sure that what was fetched starts here and is the version that was wanted.

    Raises:
        ClusterError: it is another one, as when the development suite has gone on; nothing stays behind then.
    """
    try:
        found = "{}.{:02}".format(*machine.slurm_version(target / "bin"))
        problem = f"Debian's {SUITES[version]} has Slurm {found} today"
    except (ClusterError, OSError) as error:
        found, problem = "", str(error)
    if found != version:
        shutil.rmtree(target)
        raise ClusterError(f"Slurm {version} could not be made: {problem}.", "Leave --slurm out, or choose another.")


def plugins(programs: Path) -> Path:
    """The folder of Slurm's plugins that belongs to a folder of programs."""
    return Path(os.path.realpath(programs)).parent / "plugins"
