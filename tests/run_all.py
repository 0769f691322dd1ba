"""The project's test run: what `make test`, `make test-all` (`--all`) and `make check` (`--quick`) call.

It installs the system packages it needs where it may (root on Debian or Ubuntu), runs all tests in one call of pytest
with several workers, each with a practice cluster of its own, and says in its last lines how long each part took, what
did not run and how to make it run. A test that fails once fails the run; it is tried once more only to tell a race from
a fault that stays.

With WORKSHOP_STRICT=1 (continuous integration) a test that was skipped is a failure, unless the package it needs could
not be fetched, which is printed; and no test is taken from a receipt (tests/runner/receipts.py).
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import amount
from runner import cpu, packages, packing, summary
from runner.plugin import RESULTS
from runner.receipts import TRACE, first_on_the_path
from runner.receipts import VARIABLE as RECEIPTS
from runner.summary import Run, Test

HERE = Path(__file__).resolve().parent
REPO = HERE.parent
REPORTS = REPO / "_build" / "reports"
# What `make check` runs; tests marked slow are left out of it.
QUICK = ("repository", "runner", "jobs", "sites", "scheduling", "site")
# More failures than these have a cause that a second try does not tell.
SECOND_TRIES = 10
NO_TESTS = 5  # pytest's exit status where none was left to run


def folders() -> list[str]:
    """Folders below tests/ that hold tests."""
    return sorted({path.parent.name for path in HERE.glob("*/test_*.py")})


def workers() -> int:
    """How many tests run at once: more than there are cores, since many wait for jobs and daemons."""
    return (os.cpu_count() or 1) + 2


def command(name: str, words: list[str]) -> Test:
    """Run a command as one test; what it prints goes to the terminal."""
    print(f"\n=== {name} ===", flush=True)
    started, before = time.monotonic(), sum(os.times()[2:4])
    lines = []
    with subprocess.Popen(words, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout:
            lines.append(line)
            print(line, end="", flush=True)
    outcome = "passed" if process.returncode == 0 else "failed"
    return Test(name, outcome, time.monotonic() - started, sum(os.times()[2:4]) - before, "".join(lines))


def pytest(targets: list[str], marks: str, receipts: str, count: int, results: Path) -> list[Test]:
    """Run tests, in ``count`` workers if that is more than one; how each went."""
    results.unlink(missing_ok=True)
    # With what every Python in a test does first: it starts quickly.
    env = {**os.environ, RESULTS: str(results), RECEIPTS: receipts, "PYTHONPATH": first_on_the_path(str(TRACE))}
    # Thousands of programs start in a run: their modules are compiled once, as on a machine that does not set this.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    # The options of pytest.ini but one: the summary has its own list of what took longest.
    words = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "-o", "addopts=--strict-markers"]
    words.append("--continue-on-collection-errors")
    words += ["-m", marks] if marks else []
    words += ["-n", str(count)] if count > 1 else []
    status = subprocess.run([*words, *targets], cwd=REPO, env=env).returncode
    if not results.is_file():
        return [Test("pytest", "failed", text=f"pytest ended with status {status} and left no results")]
    tests = summary.tests_of(json.loads(results.read_text()))
    good = status == 0 or (status == NO_TESTS and tests)
    if not good and all(test.outcome != "failed" for test in tests):
        tests.append(Test("pytest", "failed", text=f"pytest ended with status {status}: see above"))
    return tests


def try_again(run: Run) -> dict[str, str]:
    """Run a few failed tests once more: how each went then, for whoever has to mend it."""
    failed = [test.nodeid for test in run.failed if test.outcome == "failed" and "::" in test.nodeid]
    if not 0 < len(failed) <= SECOND_TRIES:
        return {}
    print(f"\nTried again, which does not save the run: {', '.join(failed)}", flush=True)
    targets = [str(HERE / nodeid) for nodeid in failed]
    again = pytest(targets, "", "keep", min(run.workers, len(failed)), REPORTS / "again.json")
    return {test.nodeid: test.outcome for test in again}


def before_the_tests(quick: bool) -> list[Test]:
    """Style and format; in a quick run the book too, so that tests of a site that has not changed need not run."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    tests = [command("style", [ruff, "check", "."]), command("format", [ruff, "format", "--check", "."])]
    if quick:
        tests.append(command("book", [sys.executable, "-m", "workshop", "book", "build"]))
    return tests


def run_everything(arguments: argparse.Namespace) -> Run:
    """Run all that was asked for."""
    run = Run(strict=os.environ.get("WORKSHOP_STRICT") == "1", workers=arguments.workers)
    started = time.monotonic()
    meter = cpu.Meter(f"workshop-tests-{os.getpid()}")
    if meter.group:
        os.environ[cpu.VARIABLE] = str(meter.group)
    begun = meter.seconds()
    if not arguments.quick:
        run.hint = packages.install(REPORTS / "apt.log")
        print(f"system packages: {(time.monotonic() - started) / 60:.1f} minutes", flush=True)
    run.tests = before_the_tests(arguments.quick)
    marks = "" if arguments.all else "not extensive and not slow" if arguments.quick else "not extensive"
    targets = arguments.tests or [str(HERE / name) for name in (QUICK if arguments.quick else folders())]
    if arguments.all:
        os.environ[amount.VARIABLE] = "1"
    # A receipt says nothing of the longer tests.
    receipts = "keep" if run.strict else "" if arguments.all else "take"
    run.tests += pytest(targets, marks, receipts, run.workers, REPORTS / "results.json")
    packing.keep_durations({t.nodeid: t.seconds for t in run.tests if "::" in t.nodeid and t.outcome == "passed"})
    run.again = try_again(run)
    run.seconds, run.cpu, run.counts = time.monotonic() - started, meter.seconds() - begun, meter.counts
    meter.close()
    return run


def main() -> None:
    """Run the tests and exit with 0 where all of them are good."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="what to run before a commit: at most 2 minutes")
    size.add_argument("--all", action="store_true", help="with the extensive tests: at most 80 minutes")
    parser.add_argument("--workers", type=int, default=workers(), help="how many tests run at once")
    parser.add_argument("--estimates", action="store_true", help="only renew tests/durations.json from the last runs")
    parser.add_argument("tests", nargs="*", help="files or node ids instead of everything")
    arguments = parser.parse_args()
    if arguments.estimates:
        print(f"{packing.write_estimates()} long tests in {packing.ESTIMATES.relative_to(REPO)}")
        return
    REPORTS.mkdir(parents=True, exist_ok=True)
    run = run_everything(arguments)
    summary.show(run)
    sys.exit(0 if run.good else 1)


if __name__ == "__main__":
    main()
