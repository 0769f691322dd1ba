"""The definition files: pinned, complete, their scripts clean, and each of them used somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.apptainer import definition, images
from workshop.paths import REPO

FILES = sorted((REPO / "containers").glob("*.def"))
NAMES = {"base", "gazebo", "hello", "mpi", "opengl", "pytorch-cpu", "pytorch-gpu", "visual"}
# Filled in for shellcheck where an argument has no default.
STAND_INS = {"MIRROR": "https://mirror.example/debian"}
each = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_these_definitions_exist():
    assert {path.stem for path in FILES} == NAMES


@each
def test_nothing_is_wrong(path):
    assert definition.problems(definition.read(path.read_text())) == []


@each
def test_every_argument_is_used_and_known(path):
    found = definition.read(path.read_text())
    unknown = found.used - set(found.arguments)
    assert unknown <= {"MIRROR"}, "only the mirror of base.def has no default"
    assert set(found.arguments) <= found.used, "an argument that nothing uses"


@each
def test_another_base_may_be_given(path):
    """Where no registry can be reached, an image is built on a local one."""
    text = path.read_text()
    if path.stem != "base":
        assert "Bootstrap: {{ BOOTSTRAP }}\nFrom: {{ FROM }}\n" in text


@each
def test_the_head_says_how_to_build_it(path):
    assert re.search(
        rf"^#   apptainer build .*\b{path.stem}\.sif containers/{path.name}$", path.read_text(), flags=re.M
    )


@each
@pytest.mark.parametrize("section", definition.SCRIPTS)
def test_scripts_are_clean(path, section, tmp_path):
    program = Path(sys.executable).with_name("shellcheck")
    found = definition.read(path.read_text())
    script = tmp_path / f"{section}.sh"
    # Apptainer runs the sections with sh -e.
    text = definition.filled(found.sections[section], {**STAND_INS, **found.arguments})
    script.write_text(f"#!/bin/sh -e\n{text}")
    # /etc/os-release is the image's own file.
    done = subprocess.run([program, "--exclude=SC1091,SC2154", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@each
def test_it_is_used(path):
    """A page, a job script or a session names the definition's file or its image (not only a word such as "hello")."""
    kinds = ("book/*.md", "scripts/*/*.sbatch", "scripts/*/*.pbs", "scripts/*/*.lsf", "tests/sessions/*.t")
    texts = [file.read_text() for kind in kinds for file in REPO.glob(kind)]
    assert any(re.search(rf"\b{path.stem}\.(def|sif)\b", text) for text in texts)


def test_heavy_images_are_built_each_week():
    """What cannot be built without a registry is built by the weekly workflow."""
    workflow = (REPO / ".github/workflows/weekly.yml").read_text()
    (listed,) = re.findall(r"^ +image: \[(.+)\]$", workflow, flags=re.M)
    assert {name.strip() for name in listed.split(",")} == NAMES - set(images.LOCAL)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("From: debian:12\n", "Bootstrap"),
        ("Bootstrap: docker\nFrom: debian\n", "no tag"),
        ("Bootstrap: docker\nFrom: ghcr.io:443/you/image\n", "no tag"),
        ("Bootstrap: docker\nFrom: debian:latest\n", "another one each month"),
        ("Bootstrap: docker\n", "lacks 'From:'"),
        ("Bootstrap: docker\nFrom: debian:12\n%psot\n    true\n", "%psot is no section"),
        ("Bootstrap: docker\nFrom: debian:12\n%post\n    apt-get install git\n", "--yes"),
        ("Bootstrap: docker\nFrom: debian:12\n%post\n    apt-get install --yes git\n", "apt-get update"),
        ("Bootstrap: docker\nFrom: debian:12\n%post\n    python3 -m venv $HOME/venv\n", "home folder"),
    ],
)
def test_faults_are_found(text, words):
    assert any(words in problem for problem in definition.problems(definition.read(text)))


@pytest.mark.parametrize(
    "line",
    [
        "apt-get install -yq git",
        "apt-get install -qqy git",
        "apt-get install --assume-yes git",
        "apt-get install --no-install-recommends \\\n        --yes git",
    ],
)
def test_other_ways_to_say_yes(line):
    found = definition.read(f"Bootstrap: docker\nFrom: debian:12\n%post\n    apt-get update\n    {line}\n")
    assert not any("--yes" in problem for problem in definition.problems(found))


def test_sections_of_applications_are_known():
    """Apptainer's SCIF sections carry a name: ``%apprun train``."""
    text = "Bootstrap: docker\nFrom: debian:12\n%apprun train\n    true\n%appenv train\n    export A=1\n"
    assert not any("no section" in problem for problem in definition.problems(definition.read(text)))


def test_a_digest_counts_as_a_pin():
    found = definition.read("Bootstrap: docker\nFrom: debian@sha256:0123\n")
    assert not any("tag" in problem for problem in definition.problems(found))


def test_arguments_fill_the_header():
    text = "Bootstrap: {{ B }}\nFrom: {{ F }}\n\n%arguments\n    B=docker\n    F=debian:12\n"
    assert definition.read(text).header == {"bootstrap": "docker", "from": "debian:12"}
