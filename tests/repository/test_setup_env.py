"""`make env` from nothing, with pip and with uv, on a small project: what is installed, refused and shown."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from workshop.paths import REPO
from workshop.setup_progress import main

PIP, UV = "", str(Path(sys.executable).with_name("uv"))
# Builds the editable package `workshop` without setuptools, which would have to come from an index.
BACKEND = """
import zipfile

def get_requires_for_build_editable(config_settings=None):
    return []

def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "workshop-0.1.0-py3-none-any.whl"
    info, tag = "workshop-0.1.0.dist-info", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: workshop\\nVersion: 0.1.0\\n")
        wheel.writestr(f"{info}/WHEEL", tag)
        wheel.writestr(f"{info}/RECORD", "")
    return name
"""
PYPROJECT = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "workshop"
version = "0.1.0"
"""


def write_wheel(folder: Path, name: str, content: str = "") -> str:
    """A package with one module; returns its line for requirements.txt."""
    path = folder / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo(f"{name.replace('-', '_')}.py"), content)
        wheel.writestr(zipfile.ZipInfo(f"{info}/METADATA"), f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(zipfile.ZipInfo(f"{info}/WHEEL"), tag)
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "")
    return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


class Project:
    """A tree with setup_env.sh, five packages to install and nothing else to find."""

    def __init__(self, root: Path) -> None:
        self.root, self.wheels, self.inside = (
            root / "project",
            root / "wheels",
            root / "project" / "scripts" / "workshop",
        )
        self.inside.mkdir(parents=True)
        self.wheels.mkdir()
        for name in ("setup_env.sh", "setup_progress.py"):
            shutil.copy(REPO / "scripts" / "workshop" / name, self.inside)
        (self.root / "backend.py").write_text(BACKEND)
        (self.root / "pyproject.toml").write_text(PYPROJECT)
        names = ("alpha", "nvidia-beta", "torch", "torchvision", "zeta")
        (self.root / "requirements.txt").write_text("".join(write_wheel(self.wheels, name) for name in names))

    def make(self, uv: str, **variables: str) -> subprocess.CompletedProcess:
        """Run the script with packages from the folder only; ``uv`` is the variable UV."""
        only_here = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        only_here |= {"UV_OFFLINE": "1", "UV_FIND_LINKS": str(self.wheels), "UV_NO_CONFIG": "1", "UV_LINK_MODE": "copy"}
        only_here |= {"UV_CACHE_DIR": str(self.root / "cache"), "PYTHON": sys.executable, "UV": uv, "TORCH": ""}
        command = [str(self.inside / "setup_env.sh")]
        return subprocess.run(command, env={**os.environ, **only_here, **variables}, capture_output=True, text=True)

    def installed(self) -> set[str]:
        found = (self.root / ".venv").glob("lib/*/site-packages/*-*.dist-info")
        return {path.name.partition("-")[0] for path in found} - {"pip", "setuptools"}

    def ready(self) -> bool:
        return (self.root / ".venv" / "ready").exists()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture(scope="module")
def made_by_pip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, subprocess.CompletedProcess]:
    """The environment from nothing, with pip."""
    project = Project(tmp_path_factory.mktemp("setup"))
    return project, project.make(PIP)


@pytest.fixture
def empty(project: Project, made_by_pip: tuple[Project, subprocess.CompletedProcess]) -> Project:
    """A project whose environment holds pip only: making one anew costs seconds."""
    shutil.copytree(made_by_pip[0].root / ".venv", project.root / ".venv", symlinks=True)
    (project.root / ".venv" / "ready").unlink()
    (packages,) = (project.root / ".venv").glob("lib/*/site-packages")
    for path in packages.iterdir():
        if not path.name.startswith("pip"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return project


ALL = {"alpha", "nvidia_beta", "torch", "torchvision", "zeta", "workshop"}


def test_pip_makes_the_environment_and_says_how_far_it_is(made_by_pip):
    project, done = made_by_pip
    assert done.returncode == 0, done.stderr
    assert project.installed() == ALL
    assert project.ready()
    assert done.stdout.splitlines()[-2:] == ["Unpacking 5 packages", "Unpacked 5 packages"]


def test_uv_is_used_where_it_is_installed(project):
    done = project.make(UV)
    assert done.returncode == 0, done.stderr
    assert project.installed() == ALL
    assert project.ready()
    assert "Installed 5 packages" in done.stderr, "uv's own words"
    assert "Unpack" not in done.stdout


@pytest.mark.parametrize("uv", [PIP, UV], ids=["pip", "uv"])
def test_another_file_under_the_same_name_is_refused(empty, uv):
    write_wheel(empty.wheels, "alpha", "print('not what was pinned')")
    done = empty.make(uv)
    assert done.returncode != 0
    assert "hash" in done.stderr.lower()
    assert "make env HASHES=no" in done.stderr
    assert not empty.ready()
    assert "alpha" not in empty.installed()


@pytest.mark.parametrize("uv", [PIP, UV], ids=["pip", "uv"])
def test_a_cluster_with_wheels_of_its_own_can_do_without_hashes(empty, uv):
    write_wheel(empty.wheels, "alpha", "print('built for this cluster')")
    done = empty.make(uv, HASHES="no")
    assert done.returncode == 0, done.stderr
    assert empty.installed() == ALL
    assert empty.ready()


@pytest.mark.parametrize("uv", [PIP, UV], ids=["pip", "uv"])
def test_the_cpu_build_of_torch_has_other_files_and_needs_no_cuda(empty, uv):
    for name in ("torch", "torchvision"):
        write_wheel(empty.wheels, name, "cuda = None")
    write_wheel(empty.wheels, "zeta", "print('not what was pinned')")
    done = empty.make(uv, TORCH="cpu")
    assert done.returncode != 0 and "hash" in done.stderr.lower(), "the rest is held to its hashes"
    write_wheel(empty.wheels, "zeta")
    done = empty.make(uv, TORCH="cpu")
    assert done.returncode == 0, done.stderr
    assert empty.installed() == ALL - {"nvidia_beta"}


# What pip 23.2 prints, shortened.
PIP_SAYS = """Collecting absl-py==2.5.1 (from -r requirements.txt (line 1))
  Downloading absl_py-2.5.1-py3-none-any.whl.metadata (3.3 kB)
  Downloading absl_py-2.5.1-py3-none-any.whl (137 kB)
Processing /wheels/torch-2.14.1-cp311-cp311-manylinux_2_28_x86_64.whl (from -r requirements.txt (line 2))
Collecting triton==3.8.0 (from -r requirements.txt (line 3))
  Using cached triton-3.8.0-cp311-cp311-manylinux_2_28_x86_64.whl (247.9 MB)
Installing collected packages: absl-py, triton, torch
Successfully installed absl-py-2.5.1 torch-2.14.1 triton-3.8.0
"""


def test_progress_in_plain_lines(tmp_path, capsys):
    main(PIP_SAYS.splitlines(), tmp_path, terminal=False)
    assert capsys.readouterr().out.splitlines() == [
        "3 packages, 248 MB: triton (248 MB)",
        "Unpacking 3 packages",
        "Unpacked 0 packages",
    ]


def test_progress_on_a_terminal_is_one_line_that_changes(tmp_path, capsys):
    main(PIP_SAYS.splitlines(), tmp_path, terminal=True)
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and out.endswith("\n")
    shown = [text.strip() for text in out.strip("\n").split("\r") if text]
    assert shown == [
        "1 packages, 0 MB: absl-py",
        "1 packages, 0 MB: absl-py (0 MB)",
        "2 packages, 0 MB: torch",
        "3 packages, 0 MB: triton",
        "3 packages, 248 MB: triton (248 MB)",
        "Unpacking 3 packages",
        "Unpacked 0 packages",
    ]
    assert {len(text) for text in out.strip("\n").split("\r") if text} == {79}, "nothing of the line before stays"
