"""Build the site in ``_build/html``: stage the sources with the executed notebooks, run Jupyter Book once.

The staged copy keeps the repository's layout, so that a page's ``../scripts/…`` means the same in both.
"""

import hashlib
import os
import shutil
from pathlib import Path

from workshop.book import browser, clusters, minisearch
from workshop.book.execute import stored_copy
from workshop.book.toc import notebooks
from workshop.paths import BUILD, REPO

STAGE = BUILD / "stage"
HTML = BUILD / "html"
DOCTREES = BUILD / ".doctrees"
_STAMP = BUILD / "site.sha256"
_STATIC_STAMP = BUILD / "static.sha256"
_MOST_JOBS = 8  # processes that read and write pages: more than these have too few pages each
_STAGED_FOLDERS = ("book", "scripts", "containers", "tests/sessions", "tests/records")
_STAGED_FILES = ("_config.yml", "_toc.yml", "index.md", "CITATION.cff")


class BuildFailed(Exception):
    """Jupyter Book found an error or gave a warning; its own output says which."""


def _wanted() -> dict[Path, Path | bytes]:
    """Each file of the staged copy (relative) → the file that it is copied from, or what is made for it."""
    wanted: dict[Path, Path | bytes] = {Path(name): REPO / name for name in _STAGED_FILES}
    for folder in _STAGED_FOLDERS:
        for path in sorted((REPO / folder).rglob("*")):
            hidden = any(p.startswith(".") or p == "__pycache__" or p.endswith(".egg-info") for p in path.parts)
            if path.is_file() and not hidden:
                wanted[path.relative_to(REPO)] = path
    for source in notebooks():
        wanted[source.relative_to(REPO)] = stored_copy(source)
    wanted |= {Path(name): made for name, made in clusters.staged().items()}
    wanted[Path("_toc.yml")] = clusters.contents((REPO / "_toc.yml").read_text()).encode()
    return wanted


def stage() -> str:
    """Bring the staged copy up to date, leaving unchanged files alone; returns a digest of all that it holds."""
    wanted = _wanted()
    digest = hashlib.sha256((REPO / "requirements.txt").read_bytes())
    digest.update(f"{minisearch.missing() is None}{browser.missing() is None}".encode())
    for name, source in sorted(wanted.items()):
        target, data = STAGE / name, source if isinstance(source, bytes) else source.read_bytes()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
        # Sphinx goes by modification time: an unchanged file must not be written again.
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    for path in STAGE.rglob("*"):
        if path.is_file() and path.relative_to(STAGE) not in wanted:
            path.unlink()
    return digest.hexdigest()


def _static() -> str:
    """A digest of what pages load: their links name its content, and Sphinx copies it only where it writes pages."""
    digest = hashlib.sha256()
    for path in sorted((STAGE / "book" / "static").rglob("*")):
        if path.is_file():
            digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _forget_build() -> None:
    """Remove what Sphinx keeps between builds.

    A page that Sphinx does not read again does not warn again: after a failure a kept build would pass.
    """
    shutil.rmtree(DOCTREES, ignore_errors=True)
    shutil.rmtree(HTML, ignore_errors=True)
    _STAMP.unlink(missing_ok=True)
    _STATIC_STAMP.unlink(missing_ok=True)


def _run_jupyter_book(write_all: bool) -> object:
    """Do what `jupyter-book build -W -n --keep-going -q` does, pages side by side; 0 where nothing was wrong.

    Its command line can neither use several cores nor start without half a second of other imports.
    """
    from jupyter_book.sphinx import build_sphinx

    return build_sphinx(
        STAGE,
        HTML,
        noconfig=True,
        path_config=STAGE / "_config.yml",
        confoverrides={
            "external_toc_path": str(STAGE / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        doctreedir=DOCTREES,
        force_all=write_all,
        quiet=True,
        warningiserror=True,
        keep_going=True,
        jobs=min(os.cpu_count() or 1, _MOST_JOBS),
    )


def is_current() -> bool:
    """Whether the built site shows the sources and the executed notebooks as they are now."""
    return _STAMP.is_file() and _STAMP.read_text() == stage() and (HTML / "index.html").is_file()


def build() -> bool:
    """Make ``_build/html`` from the sources and the executed notebooks; False where nothing had changed.

    Raises:
        BuildFailed: warnings count as errors, also for references that lead nowhere.
    """
    digest = stage()
    if _STAMP.is_file() and _STAMP.read_text() == digest and (HTML / "index.html").is_file():
        return False
    static = _static()
    same = _STATIC_STAMP.is_file() and _STATIC_STAMP.read_text() == static
    if _run_jupyter_book(write_all=not same) != 0:
        _forget_build()
        raise BuildFailed("jupyter-book reported the problems above (every warning is an error)")
    _remove_leftovers()
    _STATIC_STAMP.write_text(static)
    _STAMP.write_text(digest)
    return True


def _remove_leftovers() -> None:
    """Remove pages that left the book: Sphinx would leave them in its output, to be published."""
    for page in [page for folder in ("book", "notebooks", clusters.FOLDER) for page in HTML.glob(f"{folder}/*.html")]:
        source = page.relative_to(HTML).with_suffix("")
        if not any((STAGE / f"{source}{suffix}").is_file() for suffix in (".md", ".ipynb")):
            page.unlink()
