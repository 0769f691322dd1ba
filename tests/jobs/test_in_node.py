"""The package in Pyodide, as the page *Check my job script* runs it, answers as the command does. Here in Node.js."""

import gzip
import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyodide_answers import HERE, differences, printed, questions, scripts

from workshop.book import browser
from workshop.cli import main
from workshop.jobs.dialect import dialect
from workshop.jobs.read import read_script
from workshop.paths import PACKAGE

RUNNER = HERE / "in_node.mjs"
EVERY = 64  # of so many scripts one is asked for in each test run
PARTS = 8  # in which the complete comparison is made


@pytest.fixture(scope="module")
def files(checker_parts, tmp_path_factory) -> Path:
    """What the site serves for the page; it needs npm, and once a network."""
    folder = tmp_path_factory.mktemp("in the browser")
    browser.write(folder)
    return folder


def answers(folder: Path, asked: list[dict]) -> list[dict]:
    """The answers of one Node.js."""
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    command = ["node", str(RUNNER), f"{folder}/"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def compare(folder: Path, names: list[str], say, monkeypatch) -> None:
    monkeypatch.chdir(HERE)
    asked = questions(names)
    wrong = differences(asked, answers(folder, [one.asked for one in asked]))
    say(f"Pyodide: {len(asked)} answers on {len(names)} scripts compared with the command line's, {len(wrong)} differ")
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.slow
def test_some_scripts(files, say, monkeypatch):
    names = scripts()[::EVERY]
    found = [read_script(HERE / name).scheduler for name in names]
    assert {dialect(one).package for one in found if one != "other"} == {"slurm", "pbs", "lsf"}
    compare(files, names, say, monkeypatch)


@pytest.mark.extensive
@pytest.mark.parametrize("part", range(PARTS))
def test_all_scripts(files, say, monkeypatch, part: int):
    compare(files, scripts()[part::PARTS], say, monkeypatch)


def test_a_difference_is_found(monkeypatch):
    """An answer that lacks one finding is not what the command prints."""
    monkeypatch.chdir(HERE)
    name = "cases/P11_trailing_comment.sh"
    result = CliRunner().invoke(main, ["check", "--format", "json", name])
    told = json.loads(result.stdout)
    words, right = ("check", "--format", "json", name), (result.exit_code, result.stdout_bytes, "")
    assert printed(words, name, {"status": result.exit_code, "json": told}) == right
    told["findings"].pop()
    assert printed(words, name, {"status": result.exit_code, "json": told}) != right


def test_what_the_page_loads_is_small(files, say):
    weight = sum(len(gzip.compress(path.read_bytes(), 6)) for path in files.iterdir())
    say(f"Check my job script loads {weight / 1e6:.2f} MB, compressed")
    assert weight <= 7e6


def test_the_package_is_the_one_of_this_repository(files, tmp_path):
    """Byte for byte, and no command line in it."""

    with zipfile.ZipFile(files / "workshop.zip") as packed:
        names = packed.namelist()
        assert all(packed.read(name) == (PACKAGE.parent / name).read_bytes() for name in names)
    assert "workshop/jobs/check.py" in names and not [name for name in names if name.startswith("workshop/cli")]
