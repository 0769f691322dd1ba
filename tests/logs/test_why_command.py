"""The command ``workshop why``, and the copy of it that goes anywhere."""

import json
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from workshop.cli import main
from workshop.paths import REPO

GRES = "srun: error: Unable to create step for job 7: Invalid generic resource (gres) specification\n"


@pytest.fixture
def log(tmp_path):
    """``log("text")``: a file with this text."""

    def write(text: str | bytes) -> str:
        path = tmp_path / "train-7.out"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def run(*arguments: str, text: str | None = None):
    return CliRunner().invoke(main, ["why", *arguments], input=text)


def test_it_names_line_cause_remedy_and_place(log):
    done = run(log("epoch 1\n[rank1]: " + GRES))
    assert done.exit_code == 0
    assert done.output.startswith("line 2, rank 1: srun: error: Unable to create step")
    assert done.output.index("inside another job") < done.output.index("misspelt")
    assert "Mend: Submit from a login node" in done.output
    assert done.output.endswith("More: book/troubleshooting.html#msg-gres\n")


def test_standard_input():
    assert "msg-gres" in run("-", text=GRES).output


def test_it_says_plainly_when_it_knows_nothing(log):
    done = run(log("epoch 1\nloss 0.3\n"))
    assert (done.exit_code, done.output) == (1, "No error found that is known here.\n")
    done = run(log('Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: seven\n'))
    assert done.exit_code == 1
    assert done.output.startswith("line 3: ValueError: seven\n  in a.py:3\n")
    assert "Its cause is not known here." in done.output


def test_a_consequence_alone_is_no_cause(log):
    noise = "step 1\nstep 2\nstep 3\nthe mesh is inverted\n"
    done = run(log(noise + "srun: error: n01: task 3: Exited with exit code 7\n"))
    assert done.exit_code == 1
    assert "the cause itself is not known" in done.output
    assert "msg-step-ended" in done.output


def test_any_bytes(log):
    assert "msg-gres" in run(log(b"\xff\xfe\x00 \x1b[31m" + GRES.encode())).output


def test_a_file_that_cannot_be_read():
    done = run("/nonexistent/log")
    assert (done.exit_code, "No such file" in done.output) == (2, True)


def test_json(log):
    told = json.loads(run("--format=json", log(GRES)).output)
    assert (told["entry"], told["error"]["line"], len(told["causes"])) == ("msg-gres", 1, 4)
    told = json.loads(run("--format=json", log("all is well\n")).output)
    assert (told["entry"], told["error"], told["causes"]) == (None, None, [])


def test_a_long_log_is_read_fast_enough(log):
    lines = "".join(f"step {n} error: 0.{n} killed 0 No such file or directory x\n" for n in range(20_000))
    done = run(log(lines + GRES))
    assert done.output.startswith("line 20001:")


def test_first_error_runs_where_it_is_copied_with_its_patterns(tmp_path, log):
    for file in ("train/first_error.py", "workshop/logs/why.py", "workshop/logs/messages.json"):
        shutil.copy(REPO / "scripts" / file, tmp_path)
    command = [sys.executable, "-I", str(tmp_path / "first_error.py"), log("epoch 1\n[rank1]: " + GRES)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"line 2, rank 1: {GRES}")
