"""Apptainer and the course's images for CPUs are made here, where they are not yet; other tests wait for them."""

import subprocess
import sys

import pytest

from workshop.paths import REPO


@pytest.mark.awaited("first")
@pytest.mark.no_receipt
@pytest.mark.timeout(2400)
def test_images_are_there_or_it_is_said_why():
    command = [sys.executable, "-m", "workshop", "apptainer", "prepare"]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Apptainer" in done.stdout
