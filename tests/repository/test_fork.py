"""A fork with clusters of its own and without ours is green: its tests, sessions and pages need only the examples."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.book.sessions import all_sessions
from workshop.paths import REPO

INVENTED = sorted((REPO / "tests" / "repository" / "invented").glob("*.yml"))
OURS = "scripts/sites"
# What depends on the clusters and is quick. This file is left out, or the fork would make a fork.
PARTS = (
    "tests/sites",
    "tests/repository/test_layout.py",
    "tests/repository/test_references.py",
    "tests/repository/test_console_blocks.py",
    "tests/jobs/test_builder.py",
    "tests/exercises/test_job_exercises.py",
)
# A page with all that pages show of the clusters.
PAGE = """\
# Clusters

```{sites-table}
```

```{sites-table}
:hardware:
```

```{sites-table}
:containers:
```
"""


def in_fork(fork: Path, *command: str) -> subprocess.CompletedProcess:
    """Run a command in the fork, with the fork's own package `workshop`."""
    env = {**os.environ, "PYTHONPATH": str(fork / "scripts"), "REPO": str(fork)}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    for name in [name for name in env if name.startswith(("PYTEST_", "COV_"))]:
        del env[name]
    return subprocess.run(
        command, cwd=fork, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


@pytest.fixture(scope="module")
def fork(tmp_path_factory) -> Path:
    """The repository with our clusters removed, the invented ones in their place, and a copy of the example."""
    root = tmp_path_factory.mktemp("fork")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=REPO, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (REPO / name).is_file() and not (Path(name).parent == Path(OURS) and name.endswith(".yml")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPO / name, root / name)
    for path in INVENTED:
        shutil.copy(path, root / OURS / path.name)
    example = (root / OURS / "examples" / "my-cluster.yml").read_text()
    (root / OURS / "mine.yml").write_text(
        example.replace("name: my-cluster", "name: mine").replace("My Cluster", "Mine")
    )
    subprocess.run(["git", "init", "--quiet", "."], cwd=root, check=True)
    return root


def test_the_fork_has_its_own_clusters_and_the_examples(fork):
    said = in_fork(fork, "workshop", "sites").stdout
    shown = set(re.findall(r"^([a-z][\w-]+)  ", said, re.MULTILINE))
    own = {path.stem for path in INVENTED} | {"mine"}
    assert own < shown and "narval" in shown
    assert shown - own == {path.stem for path in (fork / OURS / "examples").glob("*.yml")} - {"my-cluster"}


@pytest.mark.slow
def test_the_quick_parts_are_green_in_a_fork(fork):
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow and not needs_slurm", "--durations=3")
    result = in_fork(fork, sys.executable, "-m", "pytest", *PARTS, *options)
    assert result.returncode == 0, result.stdout[-6000:]
    passed = re.search(r"(\d+) passed", result.stdout)
    assert passed and int(passed[1]) > 500 and "skipped" not in result.stdout, result.stdout[-6000:]


def sessions_on_sites() -> list[Path]:
    """Console sessions that ask the tools for a cluster; none needs Slurm."""
    return [path for path in all_sessions() if re.search(r"^  \$ .*--site ", path.read_text(), re.MULTILINE)]


def run_sessions(fork: Path, names: list[str]) -> subprocess.CompletedProcess:
    prysk = str(Path(sys.executable).with_name("prysk"))
    files = [str(fork / "tests" / "sessions" / name) for name in names]
    return in_fork(fork, prysk, "--shell=/bin/bash", "--preserve-env", *files)


def test_a_session_that_names_three_clusters_is_the_same_in_a_fork(fork):
    result = run_sessions(fork, ["modules_fill.t"])
    assert result.returncode == 0, result.stdout


@pytest.mark.extensive
def test_all_sessions_that_name_a_cluster_are_the_same_in_a_fork(fork):
    names = [path.name for path in sessions_on_sites()]
    assert len(names) > 5
    result = run_sessions(fork, names)
    assert result.returncode == 0, result.stdout


@pytest.mark.slow
def test_the_tables_of_clusters_are_built_without_a_warning(fork, tmp_path):
    book = tmp_path / "book"
    shutil.copytree(fork / "scripts" / "sites", book / "scripts" / "sites")
    (book / "clusters.md").write_text(PAGE)
    (book / "conf.py").write_text('extensions = ["myst_parser", "workshop.book.sphinx_ext"]\nroot_doc = "clusters"\n')
    html = tmp_path / "html"
    result = in_fork(fork, sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(book), str(html))
    assert result.returncode == 0, result.stdout
    text = (html / "clusters.html").read_text()
    for title in ("Lighthouse Øst", "Granite", "Seaweed (LSF)", "Oldtown", "Mine", "Narval"):
        assert title in text


@pytest.mark.extensive
@pytest.mark.timeout(1200)
def test_all_pages_are_built_in_a_fork(fork):
    """As `make book` builds them, but with the notebooks as they are committed."""
    build = "from workshop.book import site; site.stored_copy = lambda path: path; site.build()"
    result = in_fork(fork, sys.executable, "-c", build)
    assert result.returncode == 0, result.stdout[-6000:]
    assert "Lighthouse Øst" in (fork / "_build" / "html" / "book" / "clusters_reference.html").read_text()
