"""What failing programs really write leads ``workshop why`` to the right entry."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.logs.why import load_messages, why
from workshop.yaml_files import read_yaml

MESSAGES = load_messages()
DEADLINE_S = 600  # the slowest one takes a minute
TRIGGERS = read_yaml(Path(__file__).with_name("triggers.yml"))


def parameters() -> list:
    """The triggers; those that take long are for ``make test-all``."""
    return [
        pytest.param(one, id=one["name"], marks=[pytest.mark.extensive] if one.get("extensive") else [])
        for one in TRIGGERS
    ]


@pytest.mark.parametrize("trigger", parameters())
def test_what_it_writes_leads_to_its_entry(trigger, request, require, tmp_path):
    output = written(trigger, request, require, tmp_path)
    answer = why(output, MESSAGES)
    assert answer.entry and answer.entry["id"] == trigger["entry"], output
    assert trigger.get("first", "") in answer.causes[0]["why"]


def written(trigger: dict, request, require, folder: Path) -> str:
    """Everything that a trigger's commands print."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    options = {
        "cwd": folder,
        "text": True,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "timeout": DEADLINE_S,
    }
    if trigger.get("needs") == "slurm":
        cluster = request.getfixturevalue("cluster")
        return cluster.run(["bash", "-c", trigger["run"]], env={"PATH": path}, **options).stdout
    if trigger.get("needs") == "mpi":
        require("mpi")
    environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run(["bash", "-c", trigger["run"]], env=environment, **options).stdout
