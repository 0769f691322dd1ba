"""Each script of scripts/slurm runs undisturbed on a real Slurm once: in a console session, or in test_slurm.py."""

import ast
import re
from pathlib import Path

import pytest
from test_job_scripts import STEMS

from workshop.book import sessions

# Stem -> the session that submits it, and the line of its expected output that shows how it went.
IN_SESSION = {
    "hello": ("first_job_submit", "cores:          2"),
    "ddp_single_node": ("ddp_one_node_submit", "backend=gloo world_size=2 "),
    "ddp_multi_node": ("ddp_many_nodes_submit", "backend=gloo world_size=4 "),
    "modules_ddp": ("modules_submit", "backend=gloo world_size=2 "),
    "scaling": ("scaling_job", "4         256 "),
    "stage_data": ("files_and_data_stage", "result: val_accuracy=0.9"),
    "feed_gpus": ("feed_the_gpus_job", "result: val_accuracy="),
    "requeue": ("restarts_requeue", "Restarts=1"),
    "project_sweep": ("project_sweep", "best: --batch-size 32 --lr 0.05"),
    "project_train": ("project_train", "result: val_accuracy=0.9"),
}
# Stem -> the test in test_slurm.py that submits it.
IN_TEST = {
    "gpu_query": "test_gpu_query",
    "array": "test_array_then_dependency",
    "dependency": "test_array_then_dependency",
    "ddp_multi_node_mpirun": "test_ddp_with_mpirun",
    "ddp_single_node_apptainer": "test_ddp_in_a_container",
    "ddp_multi_node_apptainer": "test_ddp_in_a_container",
    "checkpoint_chain": "test_checkpoint_chain",
}


def test_every_stem_runs_once():
    assert sorted([*IN_SESSION, *IN_TEST]) == STEMS, "a new script: let a session show it, or test_slurm.py run it"


@pytest.mark.parametrize("stem", IN_SESSION)
def test_the_session_submits_it_and_shows_how_it_went(stem):
    name, proof = IN_SESSION[stem]
    lines = (sessions.FOLDER / f"{name}.t").read_text().splitlines()
    submits = re.compile(rf"  \$ .*\bsbatch\b.*\bscripts/slurm/{stem}\.sbatch\b")
    (first,) = [number for number, line in enumerate(lines) if submits.match(line)]
    shown = [line for line in lines[first + 1 :] if not line.startswith(("  $ ", "  > "))]
    assert any(line.strip().startswith(proof) for line in shown)


@pytest.mark.parametrize("stem", IN_TEST)
def test_the_test_submits_it(stem):
    """The stem is a word of the test's own text: in its body, or among its parameters."""
    tree = ast.parse((Path(__file__).parent / "test_slurm.py").read_text())
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == IN_TEST[stem]]
    words = {node.value for node in ast.walk(function) if isinstance(node, ast.Constant)}
    calls = {node.func.id for node in ast.walk(function) if isinstance(node, ast.Call) and hasattr(node.func, "id")}
    assert stem in words and {"submit", "finish"} & calls
