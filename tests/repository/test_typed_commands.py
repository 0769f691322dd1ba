"""The blocks of commands and cells that pages ask a reader to type, run as they stand.

They run in a folder that holds the repository's scripts, as in a clone. What the reader must replace is replaced: the
names in capitals, the values on lines marked ``# EDIT``, and ``…`` in a cell.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_console_blocks import typed_blocks

from workshop.paths import REPO
from workshop.yaml_files import read_yaml

MINE = f"tests/repository/{Path(__file__).name}"
LISTED = read_yaml(Path(__file__).with_name("console_blocks.yml"))["typed"]
BLOCKS = [(e["page"], e["begins"]) for e in LISTED if e.get("executed_by") == MINE]
CELLS_SHOWN = [block for block in BLOCKS if block[1][0] in "%!"]
COMMANDS = [block for block in BLOCKS if block not in CELLS_SHOWN]


def site_file_is_copied(clone: Path, tmp_path: Path, printed: str) -> bool:
    examples = clone / "scripts" / "sites"
    return (examples / "mine.yml").read_bytes() == (examples / "examples" / "my-cluster.yml").read_bytes()


def folders_are_made(clone: Path, tmp_path: Path, printed: str) -> bool:
    return (tmp_path / "scratch" / "ada" / "apptainer").is_dir() and (tmp_path / "apptainer").is_dir()


def commit_is_named(clone: Path, tmp_path: Path, printed: str) -> bool:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True, check=True).stdout
    code = re.search(r"^CODE=snapshots/([0-9a-f]{7,})$", printed, flags=re.M)
    return code is not None and head.startswith(code[1])


# Page and beginning of a block -> what its commands must have printed, or what they must have done: a command that does
# nothing is no success. Every block has a line here.
PROOFS = {
    ("adapting.md", "cp scripts/sites/examples/"): site_file_is_copied,
    ("apptainer.md", "export APPTAINER_CACHEDIR"): folders_are_made,
    ("clusters.md", "python scripts/train/memory_estimate.py"): "batch   256:",
    ("connecting.md", "workshop ssh"): "vanish when you leave this shell",
    ("ddp_one_node.md", "torchrun"): "world_size=2",
    ("feed_the_gpus.md", "python scripts/train/measure_files.py"): "1000 images on ",
    ("files_and_data.md", "git log -1"): "commit: ",
    ("one_device.md", "python scripts/train/one_device.py"): "epochs=4",
    ("one_device.md", "python scripts/train/profile_step.py"): "Self CPU",
    ("project.md", "export CODE="): commit_is_named,
}


def proof_of(page: str, begins: str) -> str | Callable[[Path, Path, str], bool]:
    """What shows that this block did something; none, or an empty one, is an error."""
    (found,) = [proof for (name, start), proof in PROOFS.items() if name == page and begins.startswith(start)]
    assert found
    return found


# The program of the notebook's cell: two ranks that meet.
PROGRAM = """\
import torch.distributed as dist
dist.init_process_group("gloo")
print(f"rank {dist.get_rank()} of {dist.get_world_size()}\\n", end="")
dist.barrier()  # a rank that leaves while another one still connects would break its start
dist.destroy_process_group()"""
CELLS = """\
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in sys.argv[1:]:
    shell.run_cell(cell).raise_error()
sys.exit(shell.user_ns["_exit_code"])
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder like a clone: scripts, and a first commit."""
    folder = tmp_path / "clone"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPO / "scripts", folder / "scripts", ignore=ignore)
    identity = {f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (["init", "--quiet"], ["add", "scripts"], ["commit", "--quiet", "--message=First"]):
        subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **identity})
    return folder


def environment(tmp_path: Path) -> dict[str, str]:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "USER": "ada", "TMPDIR": str(tmp_path)}
    return env | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])}


def run(words: list[str], folder: Path, tmp_path: Path) -> str:
    """What the command prints; it must succeed."""
    env = environment(tmp_path)
    done = subprocess.run(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("page", "begins"), COMMANDS, ids=[page for page, _ in COMMANDS])
def test_block_runs(clone: Path, tmp_path: Path, require, page: str, begins: str):
    if page == "connecting.md":
        require("ssh")
    text = typed_blocks()[page, begins].replace("/scratch", str(tmp_path / "scratch")).replace("NAME", "mine")
    if page == "project.md":  # `export` prints nothing, and hides a command that failed
        text += '\necho "CODE=$CODE"'
    printed = run(["bash", "-euo", "pipefail", "-c", text], clone, tmp_path)
    proof = proof_of(page, begins)
    assert proof in printed if isinstance(proof, str) else proof(clone, tmp_path, printed), printed


@pytest.mark.slow
def test_cells_run(tmp_path: Path):
    """The cells that write a program and start two ranks of it, one after the other in one kernel."""
    cells = [typed_blocks()[block].replace("…", PROGRAM) for block in CELLS_SHOWN]
    printed = run([sys.executable, "-c", CELLS, *cells], tmp_path, tmp_path)
    assert {"rank 0 of 2", "rank 1 of 2"} <= set(printed.splitlines())
