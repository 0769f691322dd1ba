"""What all tests share: finding the parts of the system that a test needs, and saying so when one is missing."""

import contextlib
import os
import secrets
import shutil
import time

import pytest
from hypothesis import HealthCheck, settings
from machine_parts import missing_programs

from workshop.apptainer import cli as apptainer
from workshop.apptainer import images
from workshop.paths import BUILD
from workshop.rehearse.counter import FIRST_ID

# Continuous integration tries the same random inputs each time, so that a change is judged by what it changed; on
# people's machines they are new in every run. How long one takes says nothing where several tests share a core.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("here", **UNTIMED)
settings.register_profile("strict", derandomize=True, **UNTIMED)
settings.load_profile("strict" if os.environ.get("WORKSHOP_STRICT") == "1" else "here")

pytest_plugins = ["runner.plugin"]

# mpirun's hwloc asks X servers of this machine for their GPUs, and says so where it may not: other tests have desktops.
os.environ["HWLOC_COMPONENTS"] = "-gl"

# Copies of the repository that tests build take npm's packages from here, and do not fetch them again.
os.environ.setdefault("WORKSHOP_NPM_DIR", str(BUILD / "npm-packages"))

# Slurm of Debian's present release, which pages show beside the one that is installed here.
NEWER_SLURM = "24.11"

# Numbers that a run found and that its reader should see, printed at the end of the run.
_facts: list[str] = []


@pytest.fixture(scope="session")
def say():
    """``say("16 sessions ran")``: a line at the end of the test run."""
    return _facts.append


def pytest_sessionfinish(session) -> None:
    """A worker hands what its tests said to the process that prints it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["facts"] = _facts


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take over what a worker's tests said; one that died said nothing."""
    _facts.extend(getattr(node, "workeroutput", {}).get("facts", ()))


def pytest_terminal_summary(terminalreporter) -> None:
    """Print what the tests said."""
    for fact in _facts:
        terminalreporter.write_line(fact)


def first_job_id() -> int:
    """The first job's number in clusters of this test process: 500 more are its own.

    Job scripts take ports from these numbers (20000 + number % 10000), and all clusters of a machine have the same
    addresses. 4000 to 4999 and 9000 to 9999 stay free: pages show ports like 24100 and 29500. A pytest that a test
    starts has no worker's name; it is told whose numbers to take (``TEST_LANE``).
    """
    lane = os.environ.get("PYTEST_XDIST_WORKER") or os.environ.get("TEST_LANE", "gw0")
    worker = int(lane.removeprefix("gw"))
    thousands = (5, 6, 7, 8, 1, 2, 3)
    return 1000 * thousands[worker % len(thousands)] + int(time.time()) // 2 % 500


@pytest.fixture(scope="session")
def job_ids():
    """Clusters that this process starts from here on begin with its own job numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKSHOP_FIRST_JOB_ID", str(first_job_id()))
        yield


@pytest.fixture(scope="session")
def cluster(require, tmp_path_factory):
    """A practice cluster of the tests' own: jobs of the person who runs them would stand in its queue.

    It has no accounting, which takes long to settle, unless a test asked for ``accounting``. Its folder has a space in
    its name, as somebody's home may have.
    """
    require("slurm")
    from workshop.cluster import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKSHOP_CLUSTER_DIR", str(tmp_path_factory.mktemp("a cluster")))
        patch.setenv("WORKSHOP_FIRST_JOB_ID", str(first_job_id()))
        ours = Cluster()
        try:
            ours.up(want_accounting=False)
            yield ours
        finally:
            ours.down()


@pytest.fixture(scope="session")
def newer_cluster(require, tmp_path_factory):
    """A practice cluster with the Slurm of Debian's present release, which is fetched once; without accounting."""
    require("slurm")
    from workshop.cluster import Cluster, ClusterError, versions

    try:
        versions.install(NEWER_SLURM)
    except ClusterError as error:
        if "fetch" in error.problem or "list of packages" in error.problem:
            pytest.skip(f"Slurm {NEWER_SLURM} could not be fetched: {error.problem}")
        raise
    ours = Cluster(tmp_path_factory.mktemp("newer"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("WORKSHOP_FIRST_JOB_ID", str(first_job_id() + 500))
            ours.up(want_accounting=False, slurm=NEWER_SLURM)
        yield ours
    finally:
        ours.down()


@pytest.fixture(scope="session")
def accounting(require, cluster):
    """The same practice cluster, with its accounting settled."""
    require("accounting")
    cluster.start_accounting()
    return cluster


@pytest.fixture(scope="session", autouse=True)
def one_counter(tmp_path_factory):
    """Rehearsals of all workers of a test run count their jobs together, outside of the user's own counter.

    Jobs compute ports from their ids: two that run at the same time must not have the same. Ids of practice clusters
    lie below those of rehearsals, and a run beside this one probably begins elsewhere.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    counter = folder / "rehearse" / "last_job_id"
    counter.parent.mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError), counter.open("x") as file:
        file.write(str(FIRST_ID + secrets.randbelow(500)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKSHOP_REHEARSE_DIR", str(counter.parent))
        yield


@pytest.fixture(scope="session")
def browser(require):
    """The distribution's Chromium, headless."""
    require("browser")
    from playwright.sync_api import sync_playwright

    flags = ["--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to sandbox itself as root
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def image(require):
    """``image("pytorch-cpu")``: the path of a real Apptainer image, built if it does not exist yet."""
    require("apptainer")
    return images.image


@pytest.fixture(scope="session")
def require(after):
    """``require("slurm")``: go on where the part is installed; otherwise skip with the reason.

    Where the part must be there (``WORKSHOP_STRICT=1``, as in continuous integration) a missing part is a failure.
    """

    def check(part: str) -> None:
        if part == "apptainer":
            after("containers/")  # installs it where that is possible
        missing = missing_programs(part)
        if not missing:
            return
        reason = f"{part} is not installed on this machine: no {', '.join(missing)}"
        if part == "root":
            reason = "needs root"
        if part == "apptainer" and apptainer.NOT_FETCHED.is_file():
            pytest.skip(f"Apptainer's packages could not be fetched: {apptainer.NOT_FETCHED.read_text()}")
        if os.environ.get("WORKSHOP_STRICT") == "1":
            pytest.fail(reason + " (and WORKSHOP_STRICT=1 says that it must be)")
        pytest.skip(reason)

    return check


@pytest.fixture(scope="session")
def checker_parts(require):
    """What the page *Check my job script* serves can be had: Node.js, and npm's packages, once from a network."""
    require("node")
    from workshop.book import browser

    if reason := browser.missing():
        if os.environ.get("WORKSHOP_STRICT") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
