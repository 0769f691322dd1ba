"""A fork with clusters of its own and without ours is green: its tests, sessions and pages need only the examples."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from copies import copy_repository, environment_of, run_in
from sessions import reader

from workshop import sites
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
# Titles of the clusters in the fork.
COPIED = "Copied Example"  # the example under a new name, as somebody begins
OWN = ("Lighthouse Øst", "Granite", "Seaweed (LSF)", "Oldtown", COPIED)
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


def foreign() -> list[str]:
    """Titles of the clusters that are not the fork's: ours and those of the examples."""
    return [site.title for site in sites.all_sites() if site.status != "software"]


def example(site: sites.Site) -> bool:
    return site.path.parent.name == sites.EXAMPLES


@pytest.fixture(scope="module")
def fork(tmp_path_factory) -> Path:
    """The repository with our clusters removed, the invented ones in their place, and a copy of the example."""

    def ours(name: str) -> bool:
        return Path(name).parent == Path(OURS) and name.endswith((".yml", ".txt"))

    root = copy_repository(tmp_path_factory.mktemp("fork"), lambda name: not ours(name))
    for path in INVENTED:
        shutil.copy(path, root / OURS / path.name)
    example = (root / OURS / "examples" / "my-cluster.yml").read_text()
    (root / OURS / "copied.yml").write_text(
        example.replace("name: my-cluster", "name: copied").replace("My Cluster", COPIED)
    )
    (root / ".venv").symlink_to(REPO / ".venv")
    return root


def test_the_fork_has_its_own_clusters_and_the_examples(fork):
    said = run_in(fork, "workshop", "sites").stdout
    shown = set(re.findall(r"^([a-z][\w-]+)  ", said, re.MULTILINE))
    own = {path.stem for path in INVENTED} | {"copied"}
    assert own < shown and "narval" in shown
    assert shown - own == {path.stem for path in (fork / OURS / "examples").glob("*.yml")} - {"my-cluster"}


@pytest.mark.slow
def test_the_quick_parts_are_green_in_a_fork(fork):
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow and not extensive and not needs_slurm")
    result = run_in(fork, sys.executable, "-m", "pytest", *PARTS, *options)
    assert result.returncode == 0, result.stdout[-6000:]
    passed = re.search(r"(\d+) passed", result.stdout)
    assert passed and int(passed[1]) > 500 and "skipped" not in result.stdout, result.stdout[-6000:]


@pytest.mark.extensive
def test_with_one_cluster_the_longer_tests_of_sites_are_green_too(fork, tmp_path):
    """They compare numbers of pairs: those of the examples alone must do."""
    copy = shutil.copytree(fork, tmp_path / "fork", symlinks=True)
    for path in INVENTED:
        (copy / OURS / path.name).unlink()
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "slow and not extensive and not needs_slurm")
    result = run_in(copy, sys.executable, "-m", "pytest", "tests/sites", *options)
    assert result.returncode == 0 and "skipped" not in result.stdout, result.stdout[-6000:]


def asks_for_a_cluster(session: Path) -> bool:
    """Whether a console session asks the tools for a cluster; none of these needs Slurm."""
    return re.search(r"^  \$ .*--site ", session.read_text(), re.MULTILINE) is not None


def type_sessions(fork: Path, sessions: list[Path]) -> list[str]:
    """Type them in the fork, in one shell, as they stand on a page; what differs."""
    shell = reader.Shell([], fork, environment_of(fork))
    differs = []
    for typed in (typed for session in sessions for typed in reader.commands(fork / session.relative_to(REPO))):
        printed = shell.type(typed)
        if not reader.fits(typed.expected, printed, fork):
            differs.append("\n".join([typed.command, *printed]))
    shell.close()
    return differs


def test_a_session_that_names_three_clusters_is_the_same_in_a_fork(fork):
    assert type_sessions(fork, [reader.path_of("modules_fill")]) == []


@pytest.mark.extensive
@pytest.mark.parametrize("page", ["job_scripts", "workshop_command", "adapting", "lsf"])
def test_sessions_that_name_a_cluster_are_the_same_in_a_fork(fork, tmp_path, page):
    copy = shutil.copytree(fork, tmp_path / "fork", symlinks=True)  # each page begins with a new clone
    named = [one for one in reader.typed_on(REPO / "book" / f"{page}.md") if asks_for_a_cluster(one)]
    assert named and type_sessions(copy, named) == []


@pytest.mark.slow
def test_the_tables_of_clusters_are_built_without_a_warning(fork, tmp_path):
    book = tmp_path / "book"
    shutil.copytree(fork / "scripts" / "sites", book / "scripts" / "sites")
    (book / "clusters.md").write_text(PAGE)
    (book / "conf.py").write_text('extensions = ["myst_parser", "workshop.book.sphinx_ext"]\nroot_doc = "clusters"\n')
    html = tmp_path / "html"
    result = run_in(fork, sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(book), str(html))
    assert result.returncode == 0, result.stdout
    # The tables, and what the reader can pick, with the scripts filled for it.
    for text in ((html / "clusters.html").read_text(), (html / "_static" / "filled.js").read_text()):
        assert [title for title in OWN if title not in text] == []
        assert [title for title in foreign() if title in text] == []


@pytest.mark.extensive
@pytest.mark.timeout(1200)
def test_all_pages_are_built_in_a_fork(fork):
    """As `make book` builds them, but with the notebooks as they are committed."""
    build = "from workshop.book import site; site.stored_copy = lambda path: path; site.build()"
    result = run_in(fork, sys.executable, "-c", build)
    assert result.returncode == 0, result.stdout[-6000:]
    html = fork / "_build" / "html"
    assert "Lighthouse Øst" in (html / "book" / "clusters_reference.html").read_text()
    own = {path.stem for path in INVENTED} | {"copied"}
    pages = {path.stem for path in (html / "clusters").glob("*.html")}
    assert own < pages
    assert pages - own == {site.name for site in sites.all_sites() if site.status == "software" and example(site)}
    assert [title for title in foreign() if title in (html / "_static" / "filled.js").read_text()] == []
    looked_for = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/site/test_search.py", "-k", "aliases")
    result = run_in(fork, sys.executable, "-m", "pytest", *looked_for)
    assert result.returncode == 0, result.stdout[-6000:]
    searched = (html / "_static" / "searchdata.js").read_text()
    assert [title for title in foreign() if f'"{title}"' in searched] == []
