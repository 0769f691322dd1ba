"""Receipts: a test whose inputs are all as they were when it last passed is not repeated.

A receipt is written after a pass only. Its inputs are

- files: the test's folder below ``tests/`` with what all tests share, the folders of ``READS``, the files that a
  session or script of its parameters names with all that these name (``workshop.book.uses``), and every file of the
  repository that Python opened while the test ran, in this process or in one it started;
- the machine (``machine()``): pinned packages, Python, versions of the system packages, processors, user, and the
  environment variables of ``COUNTED``.

Where a receipt cannot be read, or anything about it is in doubt, the test runs. Too many inputs only cost time.
"""

import contextlib
import hashlib
import json
import math
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from runner import packages
from workshop.book import execute, site, toc, uses
from workshop.paths import BUILD, REPO

# "keep": write receipts (strict runs, which take none); "take": write them, and leave out tests that have a valid one.
VARIABLE = "WORKSHOP_RECEIPTS"
STORE = BUILD / "receipts"
TRACE = REPO / "scripts" / "workshop" / "book" / "trace"
# Folder below tests/ -> what its tests may read beside what is traced: programs that are no Python open files unseen.
# Folders that are not listed here are quick, or decide for themselves what is out of date (notebooks).
EVERYTHING = ("scripts", "containers", "tests/records")
READS = {
    "book": ("scripts/workshop", "book/static", "_config.yml"),
    "cluster": ("scripts/workshop", "scripts/modulefiles"),
    "containers": EVERYTHING,
    "exercises": EVERYTHING,
    "logs": ("scripts/workshop", "scripts/train"),
    "ondemand": (*EVERYTHING, "notebooks"),
    "practice_ssh": ("scripts",),
    "rehearse": (*EVERYTHING, "tests/sessions"),
    "runner": ("scripts/workshop",),
    "scripts": EVERYTHING,
    "sessions": ("scripts/workshop", "scripts/sites"),
    "site": ("_build/site.sha256",),
    "train": ("scripts/train", "scripts/workshop"),
}
# Beginnings of the environment variables that count. What the run itself sets for its workers does not: neither does
# COLUMNS, which Python's readline sets for them.
COUNTED = (
    "APPTAINER", "BASH", "CONDA", "CUDA", "ENV", "FORCE_COLOR", "GIT_", "GLOO", "GOMP", "HIP_", "HOME",
    "HPCW", "HTTP", "HYDRA", "IPYTHON", "JUPYTER", "KMP", "LANG", "LC_", "LD_", "LMOD", "LOADEDMODULES", "LSB", "LSF",
    "MASTER_", "MKL", "MODULE", "MPI", "NCCL", "NODE_", "NO_", "NPM_", "OMP", "OMPI", "OPENBLAS", "PALS", "PATH", "PBS",
    "PIP_", "PLAYWRIGHT", "PMI", "PRTE", "PYTHON", "ROCR", "SBATCH", "SINGULARITY", "SLURM", "SRUN", "TMPDIR", "TORCH",
    "TZ", "UCX", "USER", "VIRTUAL_ENV", "WORKSHOP", "XDG", "_LMFILES_", "__LMOD", "http", "no_proxy", "npm_",
)  # fmt: skip
OF_THE_RUN = (
    VARIABLE,
    "WORKSHOP_CPU_GROUP",
    "WORKSHOP_STRICT",
    "WORKSHOP_TEST_",
    "WORKSHOP_TRACE",
)
_NOT_INPUTS = {".git", ".venv", "_build", "runs", "__pycache__", ".pytest_cache", ".hypothesis", ".ruff_cache"}
_OF_A_RUN = (".err", ".out", ".pyc")  # written by tests that run at the same time
_WORD = re.compile(r"[\w./-]*\w")


# --- what counts ---


@cache
def machine() -> str:
    """Digest of what is no file of the repository: packages, Python, processors, user, environment variables."""
    parts = {
        "pins": digest_of(REPO / "requirements.txt"),
        "python": sys.version,
        "system packages": packages.versions(),
        "system": [platform.machine(), os.cpu_count(), os.geteuid()],
        "environment": counted_variables(os.environ),
    }
    return _digest(json.dumps(parts, sort_keys=True).encode())


def counted_variables(environment: dict[str, str]) -> dict[str, str]:
    """The variables of an environment that count."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(COUNTED) and not name.startswith(OF_THE_RUN)
    }


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def digest_of(path: Path) -> str | None:
    """Digest of a file; None where there is none."""
    try:
        return _digest(path.read_bytes())
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None


def _files_below(folder: Path) -> set[Path]:
    if folder.is_file():
        return {folder}
    found = set()
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NOT_INPUTS and not name.endswith(".egg-info")]
        found.update(Path(here, name) for name in names if not name.endswith(".pyc"))
    return found


@cache
def always(folder: str, repo: Path = REPO) -> frozenset[Path]:
    """Files that count for every test of a folder: its own, what all tests share, and what ``READS`` says."""
    tests = repo / "tests"
    own = {path for path in _files_below(tests / folder) if path.suffix not in _OF_A_RUN}
    if folder == "sessions":  # each session counts for itself
        own = {path for path in own if path.suffix != ".t"}
    found = own | set(tests.glob("*.py")) | set(tests.glob("*.txt")) | set(tests.glob("*.ini"))
    for name in READS[folder]:
        found |= _files_below(repo / name)
    return frozenset(found)


def named(text: str, repo: Path = REPO) -> set[Path]:
    """Files of the repository that a session or a script names, whole folders included, and what these name in turn."""
    found: set[Path] = set()
    todo = [text]
    while todo:
        text = todo.pop()
        for path in _named_in(text, repo) - found:
            files = _files_below(path) if path.is_dir() else {path} | uses.closure([path], repo)
            todo += [file.read_text(errors="replace") for file in files - found if file.suffix == ".bash"]
            found |= files
        if "apptainer" in text:
            found |= _files_below(repo / "containers")
    return {path for path in found if path.is_file()}


def _named_in(text: str, repo: Path) -> set[Path]:
    """Files and folders of the repository whose names occur in a text.

    One word alone ("scripts") means a folder only behind ``$REPO/``, or where the text goes to the root itself.
    """
    words = set(_WORD.findall(text))
    found = set()
    for word in words:
        name = word.removeprefix("REPO/").strip("/")
        if "/" not in word and "REPO" not in words:
            continue
        path = repo / name
        inside = path.exists() and path.resolve().is_relative_to(repo) and path.resolve() != repo
        if name and inside and name.split("/")[0] not in _NOT_INPUTS:
            found.add(path)
    return found


def _texts(item: pytest.Item) -> Iterable[Path]:
    """Files of the repository among the parameters of a test, alone or in lists: what it runs or types."""
    spec = getattr(item, "callspec", None)
    given = spec.params.values() if spec else ()
    for value in (one for entry in given for one in (entry if isinstance(entry, list) else [entry])):
        if isinstance(value, Path) and value.is_file() and value.resolve().is_relative_to(REPO):
            yield value.resolve()


def folder_of(item: pytest.Item) -> str | None:
    """The folder below tests/ where the tests have receipts; None for others."""
    folder = item.nodeid.split("/")[0]
    return folder if folder in READS and item.get_closest_marker("no_receipt") is None else None


def inputs(item: pytest.Item, opened: Iterable[Path] = ()) -> set[Path]:
    """The files that count for one test, beside those that count for all of its folder."""
    found = set(opened)
    for path in _texts(item):
        found |= {path} | named(path.read_text(errors="replace"))
    return found - always(folder_of(item))


def folder_digest(folder: str, digest: Callable[[Path], str | None]) -> str:
    """One digest of all files that count for every test of a folder."""
    return _digest(json.dumps([[str(path), digest(path)] for path in sorted(always(folder))]).encode())


# --- reading and writing ---


def place(nodeid: str, store: Path = STORE) -> Path:
    """Where the receipt of a test lies."""
    return store / f"{_digest(nodeid.encode())}.json"


def write(
    item: pytest.Item,
    files: Iterable[Path],
    digest: Callable[[Path], str | None],
    store: Path = STORE,
    folder: str | None = None,
) -> None:
    """Keep a receipt for a test that passed: ``files`` are its ``inputs``, ``folder`` its ``folder_digest``."""
    record = {
        "test": item.nodeid,
        "machine": machine(),
        "folder": folder or folder_digest(folder_of(item), digest),
        "files": {str(path): digest(path) for path in sorted(files)},
    }
    part = place(item.nodeid, store).with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(record))
    part.rename(place(item.nodeid, store))


def why_not(item: pytest.Item, digest: Callable[[Path], str | None], store: Path = STORE) -> str | None:
    """Why a test has to run; None where its receipt is good.

    A file that counts now and did not count when the receipt was written is a change, too.
    """
    try:
        record = json.loads(place(item.nodeid, store).read_text())
        if record["machine"] != machine():
            return "packages, machine or environment changed"
        if record["folder"] != folder_digest(folder_of(item), digest):
            return "a file changed that counts for all tests of its folder"
        for path in inputs(item):
            if str(path) not in record["files"]:
                return f"{path} is new"
        for name, was in record["files"].items():
            if digest(Path(name)) != was:
                return f"{name} changed"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "no receipt that can be read"
    return None


def valid(items: Iterable[pytest.Item], store: Path = STORE) -> list[str]:
    """Node ids of the tests that need not run."""
    digest = cache(digest_of)
    folders = {folder_of(item) for item in items} - {None}
    if "site" in folders and not _site_is_current():
        folders.remove("site")
    return [item.nodeid for item in items if folder_of(item) in folders and why_not(item, digest, store) is None]


def _site_is_current() -> bool:
    """Whether the site that this run's tests will see is the one that is built already."""
    return all(execute.why_stale(notebook) is None for notebook in toc.notebooks()) and site.is_current()


# --- watching a test ---


def first_on_the_path(folder: str) -> str:
    """PYTHONPATH with this folder in front."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", folder)]
    return os.pathsep.join([folder, *others])


class Keeper:
    """Watches what the tests of this process open, and writes their receipts."""

    def __init__(self, store: Path = STORE) -> None:
        self.store = store
        self._opened: set[str] | None = None
        self._digests: dict[Path, str | None] = {}
        self._folders: dict[str, tuple[list[float], str]] = {}
        self._changed = ""
        machine()  # now: fixtures change variables later
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple) -> None:
        if self._opened is not None and event == "open" and isinstance(arguments[0], str):
            with contextlib.suppress(OSError):  # the current folder is gone
                self._opened.add(os.path.abspath(arguments[0]))

    def begin(self, item: pytest.Item) -> None:
        """Start to watch, where the test can have a receipt."""
        if folder_of(item):
            place(item.nodeid, self.store).unlink(missing_ok=True)
            self.store.mkdir(parents=True, exist_ok=True)
            self._trace = place(item.nodeid, self.store).with_suffix(".trace")
            self._trace.unlink(missing_ok=True)
            self._variables = {name: os.environ.get(name) for name in ("PYTHONPATH", *_TRACED)}
            os.environ.update(
                PYTHONPATH=first_on_the_path(str(TRACE)), WORKSHOP_TRACE=str(self._trace), WORKSHOP_TRACE_REPO=str(REPO)
            )
            self._opened, self._began = set(), time.time()

    def end(self, item: pytest.Item, passed: bool) -> None:
        """Stop to watch, and write the receipt of a test that passed while nothing that it uses was changed."""
        if not folder_of(item):
            return
        opened, self._opened = self._opened, None
        for name, value in self._variables.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        if self._trace.is_file():
            opened.update(self._trace.read_text().splitlines())
            self._trace.unlink()
        if not passed:
            return
        files, began = inputs(item, _of_the_repository(opened)), self._began * 1e9
        written, folder = self._folder(folder_of(item))
        if max(map(_written, files), default=0) < began and written < began:
            write(item, files, self._digest, self.store, folder)

    def _folder(self, name: str) -> tuple[float, str]:
        """When a file that counts for all tests of a folder was written last, and the digest of all of them.

        Thousands of tests ask, so the digest is computed where a file has changed since it was asked for before.
        """
        times = [_written(path) for path in always(name)]
        if name not in self._folders or self._folders[name][0] != times:
            self._folders[name] = times, folder_digest(name, self._digest)
        return max(times), self._folders[name][1]

    def _digest(self, path: Path) -> str | None:
        """Digest of a file, read once for each state of it."""
        try:
            state = path, path.stat().st_mtime_ns
        except OSError:
            return None
        if state not in self._digests:
            self._digests[state] = digest_of(path)
        return self._digests[state]


def _written(path: Path) -> float:
    """When a file was written last, in nanoseconds; later than anything where it has gone."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return math.inf


_ROOT_FILES = (".cff", ".in", ".md", ".toml", ".txt", ".yml")
_TRACED = ("WORKSHOP_TRACE", "WORKSHOP_TRACE_REPO")


def _of_the_repository(opened: Iterable[str], repo: Path = REPO) -> set[Path]:
    """The files among what was opened that can be inputs, their links resolved."""
    found = set()
    for name in opened:
        path = uses.source_of(Path(os.path.realpath(name)))
        if not path.is_relative_to(repo) or not path.is_file() or path.suffix in _OF_A_RUN:
            continue
        parts = path.relative_to(repo).parts
        if _NOT_INPUTS & set(parts) or parts[0] in uses.RESULTS:
            continue
        # Beside the folders lie the logs of jobs that were submitted from there.
        if len(parts) > 1 or path.suffix in _ROOT_FILES:
            found.add(path)
    return found
