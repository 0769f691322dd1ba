"""Build the course's CPU images where no image registry can be reached, and keep them by content hash."""

import hashlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from workshop.apptainer import definition as definitions
from workshop.apptainer import tree
from workshop.apptainer.errors import ApptainerError, FetchError
from workshop.paths import REPO

DEFINITIONS = REPO / "containers"
# Definition -> the definition whose image it is built on. The other definitions need an image registry.
LOCAL = {"base": None, "hello": "base", "mpi": "base", "opengl": "base", "pytorch-cpu": "base"}
# These can be built here, too, but take a gigabyte on the way: only for who asks for one by its name.
LARGE = {"visual": "base"}
# The Python of the base, which differs from the one that runs this.
IMAGE_PYTHON = "3.11"
# Fast to make and to read; an image that is sent to others is better left to Apptainer's own default.
SQUASHFS = "--mksquashfs-args=-comp zstd -Xcompression-level 3"


def definition(name: str) -> Path:
    """The file of one of the images that can be built here.

    Raises:
        ApptainerError: there is no such image.
    """
    if name not in LOCAL | LARGE:
        raise ApptainerError(f"No image {name!r} can be built here.", f"choose from {', '.join(LOCAL | LARGE)}.")
    return DEFINITIONS / f"{name}.def"


def path(name: str) -> Path:
    """Where the image lies once it is built: its name changes with the definition, what it copies, and its base."""
    parts = [definition(name).read_bytes(), Path(__file__).read_bytes()]
    parts += [file.read_bytes() for file in copied(name)]
    base = (LOCAL | LARGE)[name]
    if base:
        parts.append(path(base).name.encode())
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]
    return tree.cache() / "images" / f"{name}-{digest}.sif"


def copied(name: str) -> list[Path]:
    """The files of the repository that the definition's %files takes into the image."""
    lines = definitions.read(definition(name).read_text()).sections.get("files", "").splitlines()
    return [REPO / line.split()[0] for line in lines if line.strip()]


def image(name: str, say: Callable[[str], None] = lambda line: None) -> Path:
    """The image ``name``, built if it does not exist yet.

    Args:
        name: a definition of ``LOCAL`` or ``LARGE``, without ``.def``.
        say: called with a line about each build.

    Raises:
        ApptainerError: Apptainer is missing, or a build failed.
        FetchError: packages for it could not be fetched.
    """
    target = path(name)
    if target.is_file():
        return target
    program = tree.find()
    if program is None:
        raise ApptainerError("Apptainer is not installed.", "as root: workshop apptainer install")
    below = (LOCAL | LARGE)[name]
    base = image(below, say) if below else None
    target.parent.mkdir(parents=True, exist_ok=True)
    with tree.locked(f"images-{name}"):
        if not target.is_file():
            started = time.monotonic()
            _build(program, name, base, target)
            say(f"{name}: built in {time.monotonic() - started:.0f} s, {target.stat().st_size / 1e6:.0f} MB")
    return target


def _build(program: str, name: str, base: Path | None, target: Path) -> None:
    source = definition(name)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder, target.name)
        # Without --force the labels and the help text of the base image stay where both have the same.
        options = ["--force", SQUASHFS, *_arguments(source, base, Path(folder, "wheels"))]
        command = [program, "build", *options, str(made), str(source)]
        result = subprocess.run(command, cwd=REPO, capture_output=True, text=True)
        if result.returncode != 0:
            text = result.stdout + result.stderr
            problem = f"{source.name} could not be built:\n" + "\n".join(text.splitlines()[-15:])
            if re.search(r"Couldn't download|Failed to fetch|Temporary failure resolving", text):
                raise FetchError(problem, "try again later.")
            raise ApptainerError(problem, f"run: apptainer build {' '.join(options[2:])} {name}.sif {source}")
        made.rename(target)


def _arguments(source: Path, base: Path | None, wheels: Path) -> list[str]:
    """Options of ``apptainer build`` that replace the image registry and the package index of a definition."""
    if base is None:
        return ["--build-arg", f"MIRROR={tree.debian_mirror()}"]
    options = ["--build-arg", "BOOTSTRAP=localimage", "--build-arg", f"FROM={base}"]
    pins = re.findall(r"\S+==\S+", source.read_text()) if "pip install" in source.read_text() else []
    if pins:
        _download(pins, wheels)
        options += ["--bind", f"{wheels}:/mnt", "--build-arg", "PIP=--no-index --find-links=/mnt"]
    return options


def _download(pins: list[str], folder: Path) -> None:
    """Fetch the wheels outside, where this machine's own settings of pip count; the image takes them from a folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    command += ["--only-binary=:all:", f"--python-version={IMAGE_PYTHON}", *pins]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        last = "\n".join(result.stderr.splitlines()[-5:])
        mend = "allow pip to reach PyTorch's index: export PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu"
        raise FetchError(f"The wheels could not be fetched:\n{last}", mend)
