"""Lmod on the practice cluster: every way to it has ``module`` and the course's tree; without Lmod nothing changes."""

import os
import re
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from workshop import modules
from workshop.rehearse import limits

TREE = modules.CORE.parent
LISTED = re.compile(r"^gcc/12$", re.MULTILINE)


@pytest.fixture
def lmod(require, monkeypatch, tmp_path) -> None:
    """Lmod, with what it writes in a folder of the test."""
    require("lmod")
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def no_lmod(monkeypatch) -> None:
    """As on a machine without Lmod."""
    monkeypatch.setattr(modules, "lmod", lambda: None)


def both(result: subprocess.CompletedProcess) -> str:
    """Output and errors: Lmod prints most of what it says on stderr."""
    return result.stdout + result.stderr


@pytest.mark.needs_slurm
def test_a_script_on_the_login_node(lmod, cluster):
    result = cluster.run(["bash", "-c", "module --terse avail"], capture_output=True, text=True)
    assert LISTED.search(both(result)), both(result)


@pytest.mark.needs_slurm
def test_a_job(lmod, submit, finished, work):
    number = submit(script='module load gcc/12\necho "CC=$CC"\nsrun bash -c "module --terse list"')
    assert finished(number)["JobState"] == "COMPLETED"
    log = (work / f"job.sbatch-{number}.out").read_text()
    assert re.search(r"^CC=/usr/bin/gcc", log, re.MULTILINE)
    assert LISTED.search(log), "what was loaded reaches the steps"


@pytest.mark.needs_slurm
@pytest.mark.parametrize("options", ["", "set -eu; "])
def test_env_for_a_running_bash(lmod, cluster, options):
    """The lines of ``workshop cluster env``, in a shell that was not started by us, also under set -eu."""
    python = f"{shlex.quote(sys.executable)} -m workshop cluster env"
    line = f'{options}lines=$({python}); eval "$lines"; module --terse avail; sinfo --noheader --format=%P'
    env = {k: v for k, v in os.environ.items() if k not in ("BASH_ENV", "MODULEPATH", "LMOD_PAGER")} | cluster.env()
    result = subprocess.run(["bash", "-c", line], env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert LISTED.search(both(result))
    assert "cpu*" in result.stdout


@pytest.mark.needs_slurm
def test_env_for_other_shells(lmod, cluster):
    """sh takes the lines and has no module; fish gets none of those that it could not read."""
    env = os.environ | cluster.env()
    argv = [sys.executable, "-m", "workshop", "cluster", "env"]
    line = f'set -eu; eval "$({shlex.join(argv)})"; sinfo --noheader --format=%P'
    result = subprocess.run(["sh", "-c", line], env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    fish = subprocess.run(argv, env=env | {"SHELL": "/usr/bin/fish"}, capture_output=True, text=True)
    assert "SLURM_CONF" in fish.stdout and "if [" not in fish.stdout and "MODULEPATH" not in fish.stdout


@pytest.mark.needs_slurm
def test_env_forgets_no_variable_whose_name_is_a_command(lmod, cluster, tmp_path):
    """Environments may hold any name: one with a semicolon would run when the lines are evaluated."""
    names = [f"{start}X;touch {tmp_path}/ran;" for start in ("SLURM_", "SBATCH_", "__LMOD_")]
    env = os.environ | cluster.env() | dict.fromkeys([*names, "SLURM_JOB_ID", "__LMOD_Y"], "1")
    argv = [sys.executable, "-m", "workshop", "cluster", "env"]
    lines = subprocess.run(argv, env=env, capture_output=True, text=True, check=True).stdout
    assert "unset SLURM_JOB_ID\n" in lines and "unset __LMOD_Y\n" in lines
    subprocess.run(["bash", "-c", lines], cwd=tmp_path, capture_output=True)
    assert not (tmp_path / "ran").exists()


@pytest.mark.needs_slurm
def test_the_interactive_shell(lmod, cluster, tmp_path):
    """bash reads no BASH_ENV where somebody types: the shell's own start file defines module."""
    argv = [sys.executable, "-m", "workshop", "cluster", "shell"]
    env = os.environ | cluster.env() | {"SHELL": "/bin/bash"}
    text = "module --terse avail; exit\n"
    result = subprocess.run(argv, env=env, input=text, capture_output=True, text=True)
    assert LISTED.search(both(result)), both(result)


@pytest.mark.needs_slurm
def test_modules_of_another_tree_do_not_shine_through(lmod, cluster, monkeypatch):
    monkeypatch.setenv("LOADEDMODULES", "other/1.0")
    monkeypatch.setenv("_LMFILES_", "/nowhere/other/1.0.lua")
    monkeypatch.setenv("MODULEPATH", "/nowhere")
    result = cluster.run(["bash", "-c", "module list; echo $MODULEPATH"], capture_output=True, text=True)
    assert "No modules loaded" in both(result)
    assert result.stdout.strip() == str(modules.CORE)


@pytest.mark.needs_slurm
def test_without_lmod_all_is_as_before(no_lmod, cluster, monkeypatch):
    monkeypatch.setenv("MODULEPATH", "/site/modules")
    env = cluster.environment()
    assert env["MODULEPATH"] == "/site/modules"
    assert "BASH_ENV" not in env or env["BASH_ENV"] == os.environ.get("BASH_ENV")
    assert modules.shell_lines() == []
    result = cluster.run(["srun", "hostname"], capture_output=True, text=True)
    assert result.stdout == "cpu1\n"


def test_a_rehearsal_keeps_this_machines_own_modules_first(lmod):
    given = modules.for_rehearsal("module load gcc\n", {"MODULEPATH": "/site/modules"})
    assert given["MODULEPATH"] == f"/site/modules:{modules.CORE}"
    assert modules.for_rehearsal("python train.py  # no module here\n", {}) == {}


def test_a_rehearsal_says_where_modules_are_missing(no_lmod, monkeypatch):
    monkeypatch.delenv("BASH_FUNC_module%%", raising=False)
    assert modules.for_rehearsal("module load gcc\n", {}) == {}
    assert not limits._is_here("module")


def test_the_pytorch_module_has_the_pinned_version():
    names = [path.stem for path in TREE.glob("*/PyTorch/*.lua")]
    assert names == [metadata.version("torch").split("+")[0]]


def test_every_stand_in_says_so():
    """In its description and, where somebody may load it by mistake, when it is loaded."""
    stand_ins = [path for path in TREE.rglob("*.lua") if "STAND-IN" in path.read_text()]
    assert len(stand_ins) == 5
    for path in stand_ins:
        text = path.read_text()
        assert re.search(r'whatis\("Description: STAND-IN', text), path
        assert "setenv" not in text and "PATH" not in text.replace("MODULEPATH", ""), f"{path} changes something"
        assert path.parent.name == "openmpi" or "LmodMessage" in text, path


def test_readme_names_every_module():
    text = (TREE / "README.md").read_text()
    for path in TREE.rglob("[!.]*.lua"):
        assert f"`{path.parent.name}/{path.stem}`" in text, path


@pytest.mark.needs_slurm
def test_pytorch_without_activation(lmod, cluster, tmp_path):
    """Python is the environment's after the load, gone after the purge; the user's own PATH stays."""
    line = (
        "module load gcc/12 openmpi/4.1 PyTorch/2.14.1 && command -v torchrun && "
        'python -c "import torch; print(torch.__name__)"; module purge; command -v torchrun || echo "PATH=$PATH"'
    )
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": ""}
    result = cluster.run(["bash", "-c", line], env=env, cwd=tmp_path, capture_output=True, text=True)
    lines = result.stdout.splitlines()
    assert Path(lines[0]).name == "torchrun", both(result)
    assert lines[1:] == ["torch", "PATH=/usr/local/bin:/usr/bin:/bin"], both(result)


def test_a_list_ends_by_itself_at_a_terminal(cluster):
    """Debian's Lmod would show it in a pager, which waits for a key and takes what is typed next."""
    shown = cluster.run(
        ["script", "--quiet", "--return", "--command", "stty rows 4; module avail; echo typed next", "/dev/null"],
        env={"SHELL": "/bin/bash"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "gcc/12" in shown.stdout and "typed next" in shown.stdout
