"""Where the tree that holds Apptainer comes from, and what is said where it cannot be made."""

import subprocess

import pytest

from workshop.apptainer import tree
from workshop.apptainer.errors import ApptainerError, FetchError


def answer(text):
    """A stand-in for what apt says of its sources."""
    return lambda *args, **options: subprocess.CompletedProcess(args, 0, stdout=text)


def test_the_mirror_is_that_of_the_machines_own_apt(monkeypatch):
    lines = "Debian main https://near.example/debian/\nUbuntu main https://other.example/ubuntu\n"
    monkeypatch.setattr(tree.shutil, "which", lambda name, **options: f"/usr/bin/{name}")
    monkeypatch.setattr(tree.subprocess, "run", answer(lines))
    assert tree.debian_mirror() == "https://near.example/debian"


def test_elsewhere_it_is_the_one_built_into_debootstrap(monkeypatch, tmp_path):
    program = tmp_path / "debootstrap"
    program.write_text('#!/bin/sh\nDEF_MIRROR="https://built-in.example/debian"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tree.subprocess, "run", answer("Ubuntu main https://other.example/ubuntu\n"))
    assert tree.debian_mirror() == "https://built-in.example/debian"


def test_without_either_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(tree.shutil, "which", lambda name, **options: None)
    with pytest.raises(ApptainerError, match="apt-get install debootstrap"):
        tree.debian_mirror()


@pytest.mark.parametrize(
    ("said", "fetch"),
    [
        (
            "E: Failed to fetch http://mirror.example/debian/dists/sid/InRelease  Could not resolve 'mirror.example'",
            True,
        ),
        ("E: Unable to locate package apptainer", True),
        ("dpkg: error processing package fakeroot (--configure)", False),
        ("E: unshare failed: Operation not permitted", False),
    ],
)
def test_only_a_failed_download_is_a_fault_of_the_network(tmp_path, monkeypatch, said, fetch):
    program = tmp_path / "mmdebstrap"
    program.write_text(f'#!/bin/sh\necho "{said}" >&2\necho "E: mmdebstrap failed to run" >&2\nexit 25\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(tree, "debian_mirror", lambda: "http://mirror.example/debian")
    with pytest.raises(ApptainerError) as caught:
        tree._fill_tree(tmp_path / "tree")
    assert isinstance(caught.value, FetchError) == fetch
    assert said in str(caught.value)
