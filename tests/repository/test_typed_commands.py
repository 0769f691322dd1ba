"""The blocks of commands that pages ask a reader to type, run as they stand.

They run in a folder that holds the repository's scripts, as in a clone. What the reader must replace is replaced: the
names in capitals and the values on lines marked ``# EDIT``.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from test_console_blocks import typed_blocks

from workshop.paths import REPO

MINE = f"tests/repository/{Path(__file__).name}"
LISTED = yaml.safe_load(Path(__file__).with_name("console_blocks.yml").read_text())["typed"]
BLOCKS = [(e["page"], e["begins"]) for e in LISTED if e.get("executed_by") == MINE]
# Page -> what the commands must have printed, so that a command that does nothing is no success.
PRINTED = {
    "clusters.md": "batch   256:",
    "connecting.md": "vanish when you leave this shell",
    "ddp_one_node.md": "world_size=2",
    "files_and_data.md": "commit: ",
    "one_device.md": "Self CPU",
}


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


@pytest.mark.slow
@pytest.mark.parametrize(("page", "begins"), BLOCKS, ids=[page for page, _ in BLOCKS])
def test_block_runs(clone: Path, tmp_path: Path, require, page: str, begins: str):
    if page == "connecting.md":
        require("ssh")
    text = typed_blocks()[page, begins].replace("/scratch", str(tmp_path / "scratch")).replace("NAME", "mine")
    env = {**os.environ, "OMP_NUM_THREADS": "1", "USER": "ada", "TMPDIR": str(tmp_path)}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=clone,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert PRINTED.get(page, "") in done.stdout
    if page == "adapting.md":
        examples = clone / "scripts" / "sites"
        assert (examples / "mine.yml").read_bytes() == (examples / "examples" / "my-cluster.yml").read_bytes()
    if page == "apptainer.md":
        assert (tmp_path / "scratch" / "ada" / "apptainer").is_dir() and (tmp_path / "apptainer").is_dir()
