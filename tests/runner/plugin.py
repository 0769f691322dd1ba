"""pytest's side of the test run: packing, receipts, CPU time of each test, results for the table at the end.

Loaded by tests/conftest.py. Receipts are taken and results written only where ``tests/run_all.py`` asks for it.
"""

import json
import os
from pathlib import Path

import pytest

from runner import packing, receipts, shared
from runner.cpu import Meter

# Where the results go (a file), set by run_all.py.
RESULTS = "WORKSHOP_TEST_RESULTS"


class Results:
    """How each test went, for the process that gathers the workers' reports.

    A result holds ``outcome`` (passed, failed, skipped), ``seconds``, ``cpu`` (seconds; None: not measured) and
    ``text``: why it was skipped, or what a failed test printed at its end.
    """

    def __init__(self) -> None:
        self.tests: dict[str, dict] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in one phase of a test."""
        result = self.tests.setdefault(
            report.nodeid, {"outcome": "passed", "seconds": 0.0, "cpu": None, "text": "", "facts": []}
        )
        result["seconds"] += report.duration
        if report.failed:
            result.update(outcome="failed", text=str(report.longreprtext))
        elif report.skipped and result["outcome"] != "failed":
            result.update(outcome="skipped", text=_reason(report))
        if report.when == "teardown":
            result["cpu"] = dict(report.user_properties).get("cpu")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module that cannot be imported is a failure of its own."""
        if report.failed:
            self.tests[report.nodeid] = {
                "outcome": "failed",
                "seconds": 0.0,
                "cpu": None,
                "text": str(report.longreprtext),
            }


def _reason(report: pytest.TestReport) -> str:
    where = report.longrepr
    return where[2].removeprefix("Skipped: ") if isinstance(where, tuple) else str(where)


class Worker:
    """What the process that runs tests does around each of them."""

    def __init__(self, config: pytest.Config) -> None:
        self.meter = Meter(f"{shared.worker_name(config)}-{os.getpid()}") if os.environ.get(RESULTS) else None
        self.keeper = receipts.Keeper() if os.environ.get(receipts.VARIABLE) in ("keep", "take") else None
        self.outcomes: set[str] = set()
        self.started = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item):
        """Measure a test, watch what it opens, and keep a receipt where it passed."""
        self.outcomes = set()
        self.started = self.meter.seconds() if self.meter else 0
        if self.keeper:
            self.keeper.begin(item)
        try:
            return (yield)
        finally:
            passed = self.outcomes == {"passed"}
            if self.keeper:
                self.keeper.end(item, passed)
            if item.get_closest_marker("awaited"):
                shared.say_ended(item.nodeid, passed)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        """Write the CPU seconds into the last report of a test."""
        if call.when == "teardown" and self.meter:
            item.user_properties.append(("cpu", round(self.meter.seconds() - self.started, 2)))
        report = yield
        self.outcomes.add(report.outcome)
        return report


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set up what this process has to do: run tests, gather results, or both."""
    shared.begin(config)
    gathers = not shared.is_worker(config)
    if gathers and os.environ.get(RESULTS):
        config.pluginmanager.register(Results(), "workshop-results")
    if not gathers or not config.getoption("numprocesses", None):
        worker = Worker(config)
        config.pluginmanager.register(worker, "workshop-worker")
        if worker.meter:
            config.add_cleanup(worker.meter.close)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests with a valid receipt, and bring the others into the order in which they start.

    The first worker decides for all: they must have the same tests in the same order.
    """
    if shared.worker_name(config) in ("main", "gw0"):
        taken = receipts.valid(items) if os.environ.get(receipts.VARIABLE) == "take" else []
        left = [item for item in items if item.nodeid not in set(taken)]
        listed = packing.units(packing.describe(left, packing.Durations()))
        shared.write("units.json", listed)
        shared.write("receipts.json", taken)
    listed = shared.read("units.json")
    place = {nodeid: number for number, nodeid in enumerate(nodeid for unit in listed for nodeid in unit)}
    kept = [item for item in items if item.nodeid in place]
    if shared.is_worker(config) or any(item.get_closest_marker("awaited") for item in kept):
        kept.sort(key=lambda item: place[item.nodeid])
    items[:] = kept


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> packing.Packing:
    """Units, the longest first, whatever ``--dist`` says."""
    return packing.Packing(config, log, shared.folder() / "units.json")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the results."""
    results = session.config.pluginmanager.get_plugin("workshop-results")
    if results is None:
        return
    path = shared.folder() / "receipts.json"
    taken = json.loads(path.read_text()) if path.is_file() else []
    Path(os.environ[RESULTS]).write_text(json.dumps({"tests": results.tests, "receipts": taken}))


@pytest.fixture(scope="session")
def after(request: pytest.FixtureRequest):
    """``after("notebooks/")``: wait for tests of this run that are marked ``awaited``; the ids of those that failed."""
    return shared.waiter(request.session)
