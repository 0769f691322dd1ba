"""Run the learner's script between two small trees, and look at what is on the cluster's side."""

import subprocess
import tempfile
from pathlib import Path

HERE = {
    "main.py": "print('new')\n",
    "networks/small.py": "WIDTH = 32\n",
    "networks/data/shapes.json": "{}\n",
    "networks/__pycache__/small.pyc": "cache\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "data/digits.tar": "the copy on your computer\n",
}
THERE = {
    "main.py": "print('an older version')\n",
    "data/digits.tar": "the copy on the cluster\n",
    "runs/7/metrics.jsonl": '{"epoch": 1}\n',
}


def check(path: Path) -> list[str]:
    """What is still wrong with the script ``path``: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / "project", HERE)
        _write(folder / "cluster" / "project", THERE)
        for _ in range(2):  # a second run must change nothing
            done = subprocess.run(
                ["bash", Path(path).resolve()], cwd=folder, capture_output=True, text=True, timeout=60
            )
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
                return [f"The script ends with exit code {done.returncode}: {lines[-1]}"]
        if _read(folder / "project") != HERE:
            return ["Your own project has changed: it must only be read."]
        return _problems(_read(folder / "cluster" / "project"), sorted(p.name for p in (folder / "cluster").iterdir()))


def _problems(got: dict[str, str], beside: list[str]) -> list[str]:
    problems = []
    if any(name.startswith("project/") for name in got):
        return ["The folder landed inside itself, as project/project: the slash behind the source decides."]
    if beside != ["project"]:
        problems.append(f"Beside cluster/project there is now {', '.join(set(beside) - {'project'})}.")
    if "runs/7/metrics.jsonl" not in got:
        problems.append("The results in runs/ on the cluster are gone: --delete removes what you do not have here.")
    if got.get("main.py") != HERE["main.py"] or got.get("networks/small.py") != HERE["networks/small.py"]:
        problems.append("main.py and networks/small.py must arrive on the cluster as they are here.")
    if any(".git" in name.split("/") for name in got):
        problems.append("Git's folder .git went along: exclude it.")
    if any("__pycache__" in name.split("/") for name in got):
        problems.append("Python's caches went along: exclude every __pycache__.")
    if "data/digits.tar" not in got:
        problems.append("The data on the cluster is gone.")
    elif got["data/digits.tar"] != THERE["data/digits.tar"]:
        problems.append("The data of your computer went along: exclude the folder data at the top.")
    if "networks/data/shapes.json" not in got:
        problems.append("networks/data is part of the code: with a slash in front, a pattern holds at the top only.")
    return problems


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def _read(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}
