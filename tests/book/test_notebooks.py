"""Notebooks run once, run again when something they use changed, and fail for what a page must not show."""

import json

import nbformat
import pytest


def ran(output: str) -> set[str]:
    """The notebooks that a `workshop book notebooks` said it ran."""
    return {line.split()[2] for line in output.splitlines() if "] running " in line}


def test_a_change_runs_exactly_the_notebooks_that_use_the_file(tiny):
    first = tiny.run("book", "notebooks")
    assert first.returncode == 0, first.stdout
    assert ran(first.stdout) == {"one", "two"}
    assert ran(tiny.run("book", "notebooks").stdout) == set()

    # A module that the program imports: named nowhere in the notebook.
    (tiny.root / "scripts" / "train" / "helper.py").write_text("VALUE = 2\n")
    assert ran(tiny.run("book", "notebooks").stdout) == {"one"}
    stored = nbformat.read(tiny.root / "_build" / "notebooks" / "one.ipynb", as_version=4)
    assert "value 2" in stored.cells[1].outputs[0].text

    # What the notebook itself imports, from wherever.
    package = tiny.root / "scripts" / "workshop" / "notebook.py"
    package.write_text(package.read_text() + "# changed\n")
    assert ran(tiny.run("book", "notebooks").stdout) == {"one"}

    (tiny.root / "scripts" / "train" / "other.py").write_text("print('changed')\n")
    assert ran(tiny.run("book", "notebooks").stdout) == set()

    tiny.notebook("two", "print(2 + 2)")
    assert ran(tiny.run("book", "notebooks").stdout) == {"two"}

    record = tiny.root / "_build" / "notebooks" / "two.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"version": 1}))
    assert ran(tiny.run("book", "notebooks").stdout) == {"two"}

    (tiny.root / "requirements.txt").write_text("another==1\n")
    assert ran(tiny.run("book", "notebooks").stdout) == {"one", "two"}


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("raise ValueError('broken on purpose')", "cell 2 raised ValueError: broken on purpose"),
        ("import sys; print('careless', file=sys.stderr)", "cell 2 wrote to stderr"),
        ("import warnings; warnings.warn('old')", "cell 2 wrote to stderr"),
        ("import os; os.kill(os.getpid(), 9)", "the kernel died"),
    ],
)
def test_a_failure_fails_again_in_the_second_run(tiny, cell: str, message: str):
    tiny.notebook("two", cell)
    for _ in range(2):
        result = tiny.run("book", "build")
        assert result.returncode == 1
        assert message in result.stdout
        assert not (tiny.root / "_build" / "html" / "index.html").exists()


def test_what_failed_once_is_not_tried_again(tiny):
    once = "from pathlib import Path\nprint('before')\nmark = Path('mark')\nif not mark.exists():\n"
    tiny.notebook("two", f"{once}    mark.touch()\n    raise OSError('a busy machine')")
    result = tiny.run("book", "notebooks", "two")
    assert result.returncode == 1
    assert result.stdout.count("FAILED") == 1
    assert "cell 2 raised OSError: a busy machine\nIt had printed:\n    before" in result.stdout


def test_a_cell_that_takes_too_long_fails(tiny):
    source = tiny.root / "scripts" / "workshop" / "book" / "execute.py"
    source.write_text(source.read_text().replace("CELL_TIMEOUT_S = 900", "CELL_TIMEOUT_S = 2"))
    tiny.notebook("two", "import time; time.sleep(60)")
    result = tiny.run("book", "notebooks", "two")
    assert result.returncode == 1
    assert "ran longer than 2 s" in result.stdout


def test_announced_stderr_and_errors_are_shown(tiny):
    tiny.notebook("two", "import sys; print('announced', file=sys.stderr)", tags=("stderr-expected",))
    assert tiny.run("book", "notebooks", "two").returncode == 0
    tiny.notebook("two", "1 / 0", tags=("raises-exception",))
    assert tiny.run("book", "notebooks", "two").returncode == 0


def test_a_notebook_with_outputs_is_refused_and_strip_mends_it(tiny):
    path = tiny.notebook("two", "print(1)")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="1\n")]
    nbformat.write(notebook, path)
    result = tiny.run("book", "notebooks", "two")
    assert result.returncode == 1
    assert result.stdout.count("committed with outputs") == 1
    tiny.run("book", "strip", str(path))
    assert tiny.run("book", "notebooks", "two").returncode == 0


def test_another_kernel_is_refused(tiny):
    path = tiny.notebook("two", "print(1)")
    data = json.loads(path.read_text())
    data["metadata"]["kernelspec"]["name"] = "conda-env-mine-py"
    path.write_text(json.dumps(data))
    result = tiny.run("book", "notebooks", "two")
    assert result.returncode == 1
    assert "conda-env-mine-py" in result.stdout
