"""Which files of the repository a notebook uses: the ones it opened when it ran, and the ones it names.

Python's own openings are recorded while the notebook runs (``trace/sitecustomize.py``). What other programs read
(bash a job script, sbatch a header) is found by name: a path below ``scripts/``, ``containers/`` or ``tests/`` in
the text of a notebook or of a file that it uses, and an import between neighbors in ``scripts/train/``.
"""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from workshop.paths import REPO

_NAMED = re.compile(r"\b((?:scripts|containers|tests)/[\w./-]*\w)")
# Top folders of what programs leave here, which git ignores.
RESULTS = ("build", "data", "logs", "mine", "runs", "snapshots")
# Results and tools, not inputs: `.venv` is covered by the pins.
_NOT_INPUTS = (".git", ".venv", "_build", *RESULTS)
_TEXT = {".py", ".sbatch", ".pbs", ".lsf", ".def", ".sh", ".t", ".ipynb"}


def source_of(path: Path) -> Path:
    """The source of a byte-compiled file (``__pycache__/a.cpython-311.pyc`` → ``a.py``), any other path as it is."""
    if path.parent.name == "__pycache__":
        return path.parent.parent / (path.name.split(".", 1)[0] + ".py")
    return path


def is_input(path: Path, repo: Path = REPO) -> bool:
    """Whether a change of this file can change a result: a file in a folder of the repository that is no result itself.

    Beside the folders lie the logs of jobs that were submitted from there.
    """
    if not path.is_file() or not path.is_relative_to(repo):
        return False
    parts = path.relative_to(repo).parts
    if len(parts) == 1:
        return False
    return parts[0] not in _NOT_INPUTS and parts[0] != "notebooks" and not any(p.startswith(".") for p in parts[:-1])


def named_files(text: str, repo: Path = REPO) -> set[Path]:
    """Files whose path (relative to the repository) occurs in ``text``."""
    return {repo / name for name in _NAMED.findall(text) if is_input(repo / name, repo)}


def imported_neighbors(path: Path) -> set[Path]:
    """Python files beside ``path`` that it imports by plain name (``import launch``)."""
    try:
        tree = ast.parse(path.read_text())
    except SyntaxError:  # a starter with gaps, say: it has no imports that could be followed
        return set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
    return {path.with_name(f"{name}.py") for name in names if path.with_name(f"{name}.py").is_file()}


def closure(start: Iterable[Path], repo: Path = REPO) -> set[Path]:
    """``start`` and every file that is reached from it by name or by import."""
    todo = [source_of(path) for path in start]
    found: set[Path] = set()
    while todo:
        path = todo.pop()
        if path in found or not is_input(path, repo):
            continue
        found.add(path)
        # The package names many files in its messages and defaults: what it really opens is recorded instead.
        if path.suffix in _TEXT and (repo / "scripts" / "workshop") not in path.parents:
            todo += named_files(path.read_text(errors="replace"), repo)
            if path.suffix == ".py":
                todo += imported_neighbors(path)
    return found
