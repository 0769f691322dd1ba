"""The project's whole test run: what `make test` (everything) and `make check` (`--quick`) call.

It installs the system packages it needs where it may (root on Debian or Ubuntu), runs each part, prints how many tests
each had and how long it took, and says in its last lines what did not run and how to make it run.

With WORKSHOP_STRICT=1 (continuous integration) a test that was skipped is a failure, unless the package it needs could
not be fetched, which is printed.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

HERE = Path(__file__).resolve().parent
REPO = HERE.parent
REPORTS = REPO / "_build" / "reports"
# A test skipped for this reason is no failure anywhere: the network's fault, not the project's (see tests/conftest.py).
EXCUSED = "could not be fetched"
# How much of what failed is repeated at the end, where nobody has to look for it.
SHOWN_FAILURES = 8
SHOWN_LINES = 25
# More failures than these have a cause that a second try does not cure.
SECOND_TRIES = 5


def wanted_packages() -> list[str]:
    """Packages of system-packages.txt, without those whose program is here from elsewhere (``npm unless npm``)."""
    lines = [line.split() for line in (HERE / "system-packages.txt").read_text().splitlines()]
    entries = [words for words in lines if words and not words[0].startswith("#")]
    return [words[0] for words in entries if not (words[1:2] == ["unless"] and shutil.which(words[2]))]


@dataclass
class Part:
    """One part of the run: a command, or a folder of pytest tests (then ``command`` is empty).

    Parts with ``beside`` run one after the other beside those without, since they mostly wait (for jobs, for packages).
    A part with ``alone`` starts when all parts before it have ended. A part that ``needs`` another one is left out, and
    counts as failed, where that one failed: its tests would only bury the cause.
    """

    name: str
    command: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    quick: bool = True
    beside: bool = False
    alone: bool = False
    needs: str = ""


def parts(strict: bool) -> list[Part]:
    """All parts, the cheap and telling ones first."""
    workshop = [sys.executable, "-m", "workshop"]
    return [
        Part("style", [str(Path(sys.executable).with_name("ruff")), "check", "."]),
        Part("format", [str(Path(sys.executable).with_name("ruff")), "format", "--check", "."]),
        Part("repository", tests=["repository"]),
        Part("job scripts read", tests=["jobs", "sites"]),
        Part("scheduling model", tests=["scheduling"]),
        Part("training", tests=["train"], quick=False),
        Part("practice cluster", tests=["cluster"], quick=False),
        Part("rehearsal", tests=["rehearse"], quick=False),
        Part("images built", [*workshop, "apptainer", "prepare"], quick=False, beside=True),
        Part("containers", tests=["containers"], quick=False, beside=True),
        Part("console sessions", tests=["sessions"], quick=False, beside=True),
        Part("job scripts run", tests=["scripts"], quick=False),
        Part("OnDemand and JupyterLab", tests=["ondemand"], quick=False),
        Part("exercises", tests=["exercises"], quick=False),
        Part("practice ssh", tests=["practice_ssh"], quick=False),
        Part("book tools", tests=["book"], quick=False),
        Part("notebooks and site", [*workshop, "book", "build"], alone=True),
        Part("site", tests=["site"], needs="notebooks and site"),
    ]


@dataclass
class Result:
    """How one part went: the number of tests is 0 for a plain command."""

    part: Part
    good: bool
    seconds: float = 0
    tests: int = 0
    skipped: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    second_try: list[str] = field(default_factory=list)


def missing_packages() -> list[str]:
    """Packages of system-packages.txt that dpkg does not list as installed; all of them where there is no dpkg."""
    packages = wanted_packages()
    if shutil.which("dpkg-query") is None:
        return packages
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages], capture_output=True, text=True
    ).stdout
    installed = {line.split()[0] for line in shown.splitlines() if line.endswith(" installed")}
    return [package for package in packages if package not in installed]


def install_system_packages() -> str | None:
    """Install what is missing where that is possible; otherwise the command that a person can type."""
    missing = missing_packages()
    if not missing:
        return None
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "sudo apt-get update && sudo " + " ".join(install)
    print(f"installing system packages: {' '.join(missing)}", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    log = REPORTS / "apt.log"
    with log.open("w") as out:
        for command in (["apt-get", "update"], install):
            if subprocess.run(command, env=env, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
                print(f"  {' '.join(command[:2])} failed: see {log}", flush=True)
                return " ".join(install)
    return None


def read_report(path: Path) -> tuple[int, list[str], list[str]]:
    """Number of tests, why some were skipped, and what failed ones printed; from pytest's XML report."""
    suite = ET.parse(path).getroot().find("testsuite")
    suite_name = path.stem.replace("-", " ")
    skipped, failures = [], []
    for case in suite.iter("testcase"):
        skipped += [f"{suite_name}: {skip.get('message')}" for skip in case.findall("skipped")]
        for bad in (*case.findall("failure"), *case.findall("error")):
            node_id = f"{case.get('classname').replace('.', '/')}.py::{case.get('name')}"
            failures.append(f"{node_id}\n{last_lines(bad.text or '')}")
    return int(suite.get("tests")), skipped, failures


def last_lines(text: str) -> str:
    """The last lines of what a failed part or test printed, indented."""
    return "\n".join(f"    {line}" for line in text.splitlines()[-SHOWN_LINES:])


def run_and_show(command: list[str], out: TextIO) -> tuple[bool, str]:
    """Run a command and copy what it prints to ``out`` as it comes; whether it was good, and its last lines."""
    last: deque[str] = deque(maxlen=SHOWN_LINES)
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout:
            last.append(line)
            print(line, end="", file=out, flush=True)
    return process.returncode == 0, last_lines("".join(last))


def pytest_command(report: Path, quick: bool, targets: list[str]) -> list[str]:
    """The command that runs tests and writes pytest's XML report."""
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    return [*command, *(["-m", "not slow"] if quick else []), *targets]


def run_part(part: Part, quick: bool, strict: bool, log: Path | None = None) -> Result:
    """Run one part with its output on the terminal, or in the file ``log``."""
    if log is None:
        print(f"\n=== {part.name} ===", flush=True)
    started = time.monotonic()
    report = REPORTS / f"{part.name.replace(' ', '-')}.xml"
    targets = [str(HERE / folder) for folder in part.tests]
    with log.open("w") if log else contextlib.nullcontext(sys.stdout) as out:
        good, last = run_and_show(pytest_command(report, quick, targets) if targets else part.command, out)
        result = Result(part, good)
        if targets and report.is_file():
            result.tests, result.skipped, result.failures = read_report(report)
            if not good:
                try_again(result, report, quick, out)
    if strict and any(EXCUSED not in reason for reason in result.skipped):
        result.good = False
    if not good and not result.failures and not result.second_try:
        result.failures = [f"{part.name}\n{last}"]
    result.seconds = time.monotonic() - started
    return result


def try_again(result: Result, report: Path, quick: bool, out: TextIO) -> None:
    """Run a few failed tests once more: on a loaded machine a job starts late, two processes print in another order.

    Those that pass now are listed in the summary, for whoever wants to mend them; what is wrong fails again.
    """
    ids = list(dict.fromkeys(failure.splitlines()[0] for failure in result.failures))
    files = [node_id.split("::")[0] for node_id in ids]
    if not 0 < len(ids) <= SECOND_TRIES or not all((HERE / file).is_file() for file in files):
        return
    print(f"\nSecond try: {', '.join(ids)}", file=out, flush=True)
    again = report.with_suffix(".again.xml")
    good, _ = run_and_show(pytest_command(again, quick, [f"{HERE}/{node_id}" for node_id in ids]), out)
    count, skipped, failures = read_report(again) if again.is_file() else (0, [], [])
    if count != len(ids):
        return
    still = {failure.splitlines()[0] for failure in failures}
    result.skipped += skipped
    result.second_try = [node_id for node_id in ids if node_id not in still]
    result.failures, result.good = failures, good


def run_beside(queue: list[Part], quick: bool, strict: bool) -> list[Result]:
    """Run parts beside the others; what each printed comes out in one piece when it has ended."""
    results = []
    for part in queue:
        log = REPORTS / f"{part.name.replace(' ', '-')}.log"
        results.append(run_part(part, quick, strict, log))
        print(f"\n=== {part.name} (ran beside others) ===\n{log.read_text()}", flush=True)
    return results


def run_parts(chosen: list[Part], quick: bool, strict: bool) -> list[Result]:
    """Run all parts in two lanes; the results in the order of ``chosen``."""
    results: list[Result] = []
    with ThreadPoolExecutor(max_workers=1) as pool:
        beside = pool.submit(run_beside, [part for part in chosen if part.beside], quick, strict)
        for part in chosen:
            if part.alone:
                beside.result()
            failed = {result.part.name for result in results if not result.good}
            if part.needs in failed:
                results.append(Result(part, False, 0, failures=[f"{part.name}: not run, since {part.needs} failed"]))
            elif not part.beside:
                results.append(run_part(part, quick, strict))
        results += beside.result()
    return sorted(results, key=lambda result: chosen.index(result.part))


def summary(results: list[Result], hint: str | None, strict: bool, minutes: float = 0) -> bool:
    """Print the table and what did not run; True where all is good."""
    print("\npart                   result   tests  minutes")
    for r in results:
        print(f"{r.part.name:22} {'ok' if r.good else 'FAILED':8} {r.tests or '':>5} {r.seconds / 60:8.1f}")
    total = sum(r.tests for r in results)
    print(f"{'all, in two lanes':22} {'ok' if all(r.good for r in results) else 'FAILED':8} {total:>5} {minutes:8.1f}")
    skipped = [reason for r in results for reason in r.skipped]
    if skipped:
        print(f"\n{len(skipped)} tests did not run" + (" (failures here: WORKSHOP_STRICT=1):" if strict else ":"))
        for reason, count in Counter(skipped).most_common():
            print(f"  {count:>4}  {reason}")
    else:
        print("\nNo test was skipped.")
    second = [node_id for r in results for node_id in r.second_try]
    if second:
        print(f"\nPassed in their second try only ({len(second)}):\n  " + "\n  ".join(second))
    shown = [failure for r in results for failure in r.failures]
    if shown:
        print(f"\nWhat failed ({len(shown)}; the last lines of each):")
        print("\n".join(shown[:SHOWN_FAILURES]))
        print("\n".join(failure.splitlines()[0] for failure in shown[SHOWN_FAILURES:]))
    if hint:
        print(f"Some system packages are not installed. To run everything:\n  {hint}")
    return all(r.good for r in results)


def main() -> None:
    """Run the parts and exit with 0 where all of them are good."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="what to run before a commit: at most 5 minutes")
    quick = parser.parse_args().quick
    strict = os.environ.get("WORKSHOP_STRICT") == "1"
    REPORTS.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    hint = None if quick else install_system_packages()
    print(f"system packages: {(time.monotonic() - started) / 60:.1f} minutes", flush=True)
    chosen = [part for part in parts(strict) if part.quick or not quick]
    results = run_parts(chosen, quick, strict)
    sys.exit(0 if summary(results, hint, strict, (time.monotonic() - started) / 60) else 1)


if __name__ == "__main__":
    main()
