"""Run the notebooks once and keep the result for as long as nothing that they use has changed.

An executed copy lies in ``_build/notebooks/NAME.ipynb``; beside it ``NAME.json`` says what it was made from. The tests
judge these copies and the book shows them, so a page cannot show what was not tested.
"""

import contextlib
import hashlib
import json
import os
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from workshop.book import kernels
from workshop.book.uses import closure, is_input, named_files
from workshop.paths import BUILD, REPO

STORE = BUILD / "notebooks"
CELL_TIMEOUT_S = 900  # for what hangs; how long notebooks take is judged by `own_seconds`
_QUIET = 0.5  # others that keep fewer cores busy than this do not slow a notebook down
VERSION = 2  # of the records below: those of version 1 lack what was opened by its whole path
PRINTED_LINES = 15  # how much of what a failed cell had printed its message repeats
_SHOWN_REPO = "~/hpc-cluster-workshop"  # what pages show in place of the folder in which the book was built


class NotebookFailed(Exception):
    """A notebook did not run as its page announces; the message says which cell and why."""


class SourceRefused(NotebookFailed):
    """A notebook that was not run, for what is in its file."""


@dataclass
class Outcome:
    """What became of one notebook: ``seconds`` is the time of the run that made the stored copy."""

    notebook: Path
    ran: bool
    seconds: float


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _cells_key(notebook: nbformat.NotebookNode) -> str:
    """What the execution depends on in the notebook itself: cells with their tags, and the kernel."""
    parts = [[c.cell_type, c.source, c.metadata.get("tags", [])] for c in notebook.cells]
    return _digest(json.dumps([parts, notebook.metadata.get("kernelspec", {}).get("name")]).encode())


def _pins_key() -> str:
    return _digest((REPO / "requirements.txt").read_bytes())


def _record_path(source: Path) -> Path:
    return STORE / f"{source.stem}.json"


def stored_copy(source: Path) -> Path:
    """Where the executed copy of a notebook lies."""
    return STORE / source.name


def why_stale(source: Path) -> str | None:
    """Why the stored execution of ``source`` can't be used; None where it can."""
    try:
        record = json.loads(_record_path(source).read_text())
    except FileNotFoundError:
        return "never run"
    if not stored_copy(source).is_file():
        return "its executed copy is gone"
    if record.get("version") != VERSION:
        return "its record is of an earlier version"
    notebook = nbformat.read(source, as_version=4)
    if record["cells"] != _cells_key(notebook):
        return "its cells changed"
    if record["pins"] != _pins_key():
        return "requirements.txt changed"
    for name, digest in record["uses"].items():
        path = REPO / name
        if not path.is_file() or _digest(path.read_bytes()) != digest:
            return f"{name} changed"
    return None


def check_source(source: Path) -> None:
    """Refuse a notebook that is committed with results or for another kernel.

    Raises:
        SourceRefused: with the command that mends it.
    """
    notebook = nbformat.read(source, as_version=4)
    nbformat.validate(notebook)
    mend = f"Mend it with: make strip  (or: workshop book strip {source.relative_to(REPO)})"
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None):
            raise SourceRefused(f"{source.name}: cell {number} is committed with outputs. {mend}")
    kernel = notebook.metadata.get("kernelspec", {}).get("name")
    if kernel != "python3":
        raise SourceRefused(f"{source.name}: kernel is {kernel!r}, must be 'python3'. {mend}")


def strip(source: Path) -> bool:
    """Remove outputs, counts and foreign metadata from a notebook file; True where that changed it."""
    before = source.read_text()
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in ("tags", "mystnb", "slideshow")}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    after = nbformat.writes(notebook) + "\n"
    if after == before:
        return False
    source.write_text(after)
    return True


def _text(output: nbformat.NotebookNode) -> str:
    text = output.get("text", "")
    return text if isinstance(text, str) else "".join(text)


def _judge(source: Path, notebook: nbformat.NotebookNode) -> None:
    """Fail on what a page must not show: an unannounced line on stderr, an unannounced error."""
    for number, cell in enumerate(notebook.cells, start=1):
        tags = cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr" and "stderr-expected" not in tags:
                raise NotebookFailed(
                    f"{source.name}: cell {number} wrote to stderr, which its page does not announce:\n"
                    f"{_text(output)}\nMend the cause, or give the cell the tag 'stderr-expected'."
                )
            if output.output_type == "error" and "raises-exception" not in tags:
                printed = "".join(_text(o) for o in cell.outputs if o.output_type == "stream").splitlines()
                tail = "".join(f"\n    {line}" for line in printed[-PRINTED_LINES:])
                before = f"\nIt had printed:{tail}" if tail else ""
                raise NotebookFailed(f"{source.name}: cell {number} raised {output.ename}: {output.evalue}{before}")


_HOME = str(Path.home())


def _neutral(value: object) -> object:
    """The same output with the folders of the machine that built the book replaced by neutral ones."""
    if isinstance(value, str):
        value = value.replace(str(REPO), _SHOWN_REPO)
        # Only as a whole path or the start of one: a short home ("/root") may occur inside another path.
        return re.sub(rf"(?<![\w./-]){re.escape(_HOME)}(?![\w.-])", "~", value)
    if isinstance(value, list):
        return [_neutral(v) for v in value]
    if isinstance(value, dict):
        return type(value)({k: _neutral(v) for k, v in value.items()})
    return value


def _for_the_page(notebook: nbformat.NotebookNode) -> None:
    """Prepare outputs for a page without a kernel.

    Widgets need a kernel to move, and their scripts would come from another host: the page says so in their place
    (each is followed by a still picture of what it shows).
    """
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data")
            if data and "application/vnd.jupyter.widget-view+json" in data:
                output["data"] = {
                    "text/markdown": "*Interactive in the notebook: run this cell in JupyterLab to move the controls.*"
                }
        if "outputs" in cell:
            cell.outputs = _neutral(cell.outputs)


def _environment(trace: Path, cluster: Path) -> dict[str, str]:
    """The kernel's variables. The practice cluster is its own: a page must not show the queue of somebody's jobs."""
    env = dict(os.environ)
    env["WORKSHOP_CLUSTER_DIR"] = str(cluster)
    here = str(Path(__file__).parent / "trace")
    env["PYTHONPATH"] = os.pathsep.join(p for p in (here, env.get("PYTHONPATH")) if p)
    env["WORKSHOP_TRACE"] = str(trace)
    env["WORKSHOP_TRACE_REPO"] = str(REPO)
    return env


def _uses(source: Path, trace: Path) -> dict[str, str]:
    opened = trace.read_text().splitlines() if trace.exists() else []
    start = {Path(line) for line in opened} | named_files(source.read_text())
    return {
        str(path.relative_to(REPO)): _digest(path.read_bytes()) for path in sorted(closure(start)) if is_input(path)
    }


@contextlib.contextmanager
def _own_folder() -> Iterator[Path]:
    """A folder for one notebook's kernel and practice cluster; a cluster that the notebook left running is stopped."""
    from workshop.cluster import Cluster

    with tempfile.TemporaryDirectory(prefix="workshop-notebook-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / "cluster"
        try:
            yield Path(folder)
        finally:
            if Cluster(place).status().running:
                Cluster(place).down()


class _Clocks:
    """Now, by the clocks that tell how long a notebook took and how busy the machine was meanwhile; in seconds."""

    def __init__(self) -> None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.monotonic()
        self.own = used.ru_utime + used.ru_stime
        self.busy = _busy_seconds()

    def since(self, start: "_Clocks") -> dict[str, float]:
        """What the record of a run says: ``seconds`` that it took, ``cpu_seconds`` of the kernel and what it started
        itself, and ``others``, the number of cores that all other programs kept busy (jobs of the notebook, too).
        """
        seconds, own = self.wall - start.wall, self.own - start.own
        return {
            "seconds": seconds,
            "cpu_seconds": own,
            "others": max(0.0, self.busy - start.busy - own) / max(seconds, 1e-9),
        }


def _busy_seconds() -> float:
    """CPU seconds that this machine's cores have worked since it started; 0 where the system does not tell (macOS)."""
    try:
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except FileNotFoundError:
        return 0.0
    user, nice, system, _idle, _waiting, irq, softirq, steal = map(int, words[:8])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds(record: dict) -> float:
    """How long a stored run takes on two cores of its own.

    By the clock; where other programs slowed it down, what it takes at least: two cores share its CPU seconds.
    """
    return record["seconds"] if record.get("others", 0) < _QUIET else record["cpu_seconds"] / 2


def _client(notebook: nbformat.NotebookNode, source: Path, folder: Path) -> NotebookClient:
    return NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_S,
        kernel_name="python3",
        kernel_manager_class=kernels.Manager,
        config=kernels.in_folder(str(folder)),
        resources={"metadata": {"path": str(source.parent)}},
        # Cells that raise are judged below, with the cell's number: nbclient's own message lacks it.
        allow_errors=True,
    )


def execute(source: Path) -> Outcome:
    """Run one notebook where a student would run it, judge it, store its executed copy.

    Raises:
        NotebookFailed: a cell raised, ran too long, or wrote to stderr unannounced. Nothing is stored then, so the
            next run fails again.
    """
    check_source(source)
    STORE.mkdir(parents=True, exist_ok=True)
    _record_path(source).unlink(missing_ok=True)
    trace = STORE / f"{source.stem}.trace"
    trace.unlink(missing_ok=True)
    notebook = nbformat.read(source, as_version=4)
    cells, started = _cells_key(notebook), _Clocks()
    kernel_log = STORE / f"{source.stem}.kernel.log"
    try:
        # The kernel's own messages are none of the notebook's.
        with kernel_log.open("w") as log, _own_folder() as folder:
            environment = _environment(trace, folder / "cluster")
            _client(notebook, source, folder).execute(env=environment, cwd=str(source.parent), stderr=log)
    except CellTimeoutError as error:
        raise NotebookFailed(f"{source.name}: a cell ran longer than {CELL_TIMEOUT_S} s: {error}") from error
    except DeadKernelError as error:
        raise NotebookFailed(f"{source.name}: the kernel died: {error}. Its messages: {kernel_log}") from error
    _judge(source, notebook)
    times = _Clocks().since(started)
    _for_the_page(notebook)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # time stamps: they would make every copy differ
    nbformat.write(notebook, stored_copy(source))
    record = {"version": VERSION, "cells": cells, "pins": _pins_key(), **times, "uses": _uses(source, trace)}
    _record_path(source).write_text(json.dumps(record, indent=1))
    trace.unlink(missing_ok=True)
    return Outcome(source, ran=True, seconds=times["seconds"])


def ensure(source: Path) -> Outcome:
    """Run the notebook unless a stored execution is still good."""
    check_source(source)
    if why_stale(source) is None:
        return Outcome(source, ran=False, seconds=json.loads(_record_path(source).read_text())["seconds"])
    return execute(source)
