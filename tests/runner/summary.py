"""The last lines of a run: a table of parts, what did not run, what failed, and what took longest."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

# Folder below tests/ -> what the table calls it.
PARTS = {
    "repository": "repository",
    "runner": "test run itself",
    "jobs": "job scripts read",
    "sites": "sites",
    "scheduling": "scheduling model",
    "train": "training",
    "logs": "logs read",
    "cluster": "practice cluster",
    "rehearse": "rehearsal",
    "containers": "images and containers",
    "sessions": "console sessions",
    "scripts": "job scripts run",
    "ondemand": "OnDemand, JupyterLab",
    "exercises": "exercises",
    "practice_ssh": "practice ssh",
    "book": "book tools",
    "notebooks": "notebooks",
    "site": "site",
    "planted": "planted faults",
}
# A test skipped for this reason is no failure anywhere: the network's fault, not the project's (see tests/conftest.py).
EXCUSED = "could not be fetched"
# How much of what failed is repeated at the end, where nobody has to look for it.
SHOWN_FAILURES = 8
SHOWN_LINES = 25
SLOWEST = 10


@dataclass
class Test:
    """How one test went: ``outcome`` is passed, failed, skipped or receipt."""

    nodeid: str
    outcome: str
    seconds: float = 0
    cpu: float | None = None
    text: str = ""

    @property
    def part(self) -> str:
        """Name of its part in the table."""
        folder = self.nodeid.split("/")[0]
        return PARTS.get(folder, folder)


@dataclass
class Run:
    """A whole run: its tests, how failed ones went in their second try, and what it cost."""

    tests: list[Test] = field(default_factory=list)
    again: dict[str, str] = field(default_factory=dict)
    strict: bool = False
    seconds: float = 0
    cpu: float = 0
    counts: str = ""
    hint: str | None = None
    workers: int = 1

    @property
    def failed(self) -> list[Test]:
        """Tests that failed; in a strict run also those that were skipped without an excuse."""
        return [test for test in self.tests if test.outcome == "failed" or self._missing(test)]

    def _missing(self, test: Test) -> bool:
        return self.strict and test.outcome == "skipped" and EXCUSED not in test.text

    @property
    def good(self) -> bool:
        """Whether every test passed in its first try."""
        return not self.failed


def last_lines(text: str) -> str:
    """The last lines of what a failed test printed, indented."""
    return "\n".join(f"    {line}" for line in text.splitlines()[-SHOWN_LINES:])


def show(run: Run) -> None:
    """Print all of it."""
    print("\n".join([*_table(run), *_receipts(run), *_skipped(run), *_slowest(run), *_failed(run)]))
    if run.hint:
        print(f"Some system packages are not installed. To run everything:\n  {run.hint}")


def _table(run: Run) -> list[str]:
    parts: dict[str, list[Test]] = defaultdict(list)
    for test in run.tests:
        parts[test.part].append(test)
    order = [*PARTS.values()]
    known = sorted(parts, key=lambda name: order.index(name) if name in order else -1)
    failed = {test.part for test in run.failed}
    lines = ["", f"{'part':24}{'result':8}{'tests':>6}{'receipts':>10}{'minutes':>9}{'of CPU':>8}"]
    lines += [_row(name, name in failed, parts[name]) for name in known]
    lines.append(_row("all", not run.good, run.tests))
    workers = f"{run.workers} workers" if run.workers > 1 else "one process"
    lines.append(f"The whole run: {run.seconds / 60:.1f} minutes, {run.cpu / 60:.1f} of CPU; {workers}.")
    lines.append(f"Minutes of parts are sums over tests that ran side by side. CPU counts {run.counts}.")
    return lines


def _row(name: str, failed: bool, tests: list[Test]) -> str:
    minutes = sum(test.seconds for test in tests) / 60
    cpu = [test.cpu for test in tests if test.cpu is not None]
    taken = sum(test.outcome == "receipt" for test in tests)
    shown = f"{sum(cpu) / 60:8.1f}" if cpu else f"{'':8}"
    return f"{name:24}{'FAILED' if failed else 'ok':8}{len(tests):>6}{taken or '':>10}{minutes:>9.1f}{shown}"


def _receipts(run: Run) -> list[str]:
    taken = sum(test.outcome == "receipt" for test in run.tests)
    if not taken:
        return ["", "Every test ran: none was taken from a receipt."] if run.strict else []
    return ["", f"{taken} tests were not repeated: nothing that they use has changed (WORKSHOP_STRICT=1 repeats them)."]


def _skipped(run: Run) -> list[str]:
    skipped = [test for test in run.tests if test.outcome == "skipped"]
    if not skipped:
        return ["", "No test was skipped."]
    reasons = Counter(f"{test.part}: {test.text}" for test in skipped)
    note = " (failures here: WORKSHOP_STRICT=1):" if run.strict else ":"
    lines = ["", f"{len(skipped)} tests did not run{note}"]
    return lines + [f"  {count:>4}  {reason}" for reason, count in reasons.most_common()]


def _slowest(run: Run) -> list[str]:
    slow = sorted(run.tests, key=lambda test: -test.seconds)[:SLOWEST]
    shown = [f"{test.seconds:7.0f} s{_cpu(test)}  {test.nodeid}" for test in slow if test.seconds >= 1]
    return ["", "Slowest tests (seconds, of CPU):", *shown] if shown else []


def _cpu(test: Test) -> str:
    return f"{test.cpu:7.0f}" if test.cpu is not None else f"{'':7}"


def _failed(run: Run) -> list[str]:
    failed = run.failed
    if not failed:
        return []
    lines = ["", f"What failed ({len(failed)}; the last lines of each):"]
    for test in failed[:SHOWN_FAILURES]:
        lines += [_title(test, run.again), last_lines(test.text)]
    return lines + [_title(test, run.again) for test in failed[SHOWN_FAILURES:]]


def _title(test: Test, again: dict[str, str]) -> str:
    verdict = {
        "passed": "failed, passed when tried again (a race: mend it)",
        "failed": "fails each time",
        "skipped": "did not run",
    }.get(again.get(test.nodeid, ""), "failed" if test.outcome == "failed" else "did not run")
    return f"{test.nodeid}: {verdict}"


def tests_of(results: dict) -> list[Test]:
    """The tests of a results file (``runner.plugin``)."""
    ran = [
        Test(nodeid, result["outcome"], result["seconds"], result["cpu"], result["text"])
        for nodeid, result in results["tests"].items()
    ]
    return ran + [Test(nodeid, "receipt") for nodeid in results["receipts"]]


def names(tests: Iterable[Test]) -> list[str]:
    """Node ids."""
    return [test.nodeid for test in tests]
