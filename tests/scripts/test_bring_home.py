"""A job that is cancelled while its results are being copied home: the copy is finished, the node's disk is clean.

Schedulers tell every process of such a job to stop. Here the job's process group is told, once ``cp`` has begun.
"""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from jobfiles import ENDINGS, path_of

from workshop.paths import REPO

FILES = {name: path_of(name, "stage_data") for name in ENDINGS}
FILES["exercise"] = REPO / "scripts/exercises/files_and_data/stage_job/solution.sbatch"
# Says that it has begun, and copies when told to go on.
CP = """#!/bin/bash
echo copying
read -r < "$GO"
exec /bin/cp "$@"
"""


@pytest.mark.parametrize("name", list(FILES))
def test_a_copy_that_has_begun_is_finished(name, tmp_path):
    (function,) = re.findall(r"^bring_home\(\) \{\n.*?^\}\n", FILES[name].read_text(), re.M | re.S)
    disk, home, programs = tmp_path / "disk", tmp_path / "home", tmp_path / "bin"
    (disk / "runs" / "first").mkdir(parents=True)
    (disk / "runs" / "first" / "metrics.jsonl").write_text("{}\n")
    home.mkdir()
    programs.mkdir()
    (programs / "cp").write_text(CP)
    (programs / "cp").chmod(0o755)
    os.mkfifo(tmp_path / "go")
    job = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", f"work={disk}\n{function}trap bring_home EXIT\ntrap : TERM\n"],
        cwd=home,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "GO": str(tmp_path / "go")},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert job.stdout.readline() == "copying\n"
    os.killpg(job.pid, signal.SIGTERM)
    go_on(tmp_path / "go", job)
    job.communicate(timeout=60)
    assert (home / "runs" / "first" / "metrics.jsonl").read_text() == "{}\n"
    assert not disk.exists()


def go_on(fifo: Path, job: subprocess.Popen) -> None:
    """Let ``cp`` go on. It may be gone: opened for both directions, the fifo needs no reader."""
    both = os.open(fifo, os.O_RDWR)
    os.write(both, b"\n")
    job.wait(timeout=60)
    os.close(both)
