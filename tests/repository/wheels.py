"""Wheels without an index: of the package `workshop`, and of the packages that are installed here."""

import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from copies import copy_repository
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
# What an installation from this repository takes from it.
PARTS = ("pyproject.toml", "LICENSE", ".pre-commit-hooks.yaml")
FOLDERS = ("scripts/workshop/", "scripts/sites/", "scripts/modulefiles/")


def copy_package(root: Path) -> Path:
    """Copy what belongs to the package to the folder ``root``, a repository of its own: a build writes beside it."""
    return copy_repository(root, lambda name: name in PARTS or name.startswith(FOLDERS))


def build_wheel(folder: Path) -> Path:
    """The package's wheel, built in a copy of the repository with the setuptools that is installed here."""
    copy = copy_package(folder / "copy")
    done = subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0 and "Warning" not in done.stderr, done.stderr
    return folder / done.stdout.splitlines()[-1]


def needed_by(names: Iterable[str]) -> list[Distribution]:
    """The installed packages ``names`` with all that they need, as pip would find them."""
    found: dict[str, Distribution] = {}
    todo = list(names)
    while todo:
        name = canonicalize_name(todo.pop())
        if name in found:
            continue
        found[name] = distribution(name)
        needs = [Requirement(line) for line in found[name].requires or []]
        todo += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return list(found.values())


def pack(package: Distribution, folder: Path) -> None:
    """Make a wheel of an installed package, from the files that its RECORD names; pip makes its commands anew."""
    (tag, *_) = re.findall(r"^Tag: (\S+)", package.read_text("WHEEL"), re.MULTILINE)
    name = f"{package.name.replace('-', '_')}-{package.version}"
    of_pip = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
    lines, info = [], ""
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w") as wheel:
        for file in package.files:
            if ".." in file.parts or file.suffix == ".pyc":
                continue
            if file.parts[0].endswith(".dist-info") and file.name in of_pip:
                info = file.parts[0]
                continue
            data = file.locate().read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{file.as_posix()},sha256={digest},{len(data)}\n")
            wheel.writestr(file.as_posix(), data)
        wheel.writestr(f"{info}/RECORD", "".join([*lines, f"{info}/RECORD,,\n"]))


def wheelhouse(folder: Path, *names: str) -> Path:
    """A folder of wheels from which pip can install ``names`` without an index."""
    folder.mkdir()
    for package in needed_by(names):
        pack(package, folder)
    return folder
