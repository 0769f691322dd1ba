"""Where the tree that holds Apptainer comes from."""

import subprocess

import pytest

from workshop.apptainer import tree
from workshop.apptainer.errors import ApptainerError


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
