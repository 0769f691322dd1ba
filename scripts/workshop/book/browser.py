"""The files with which *Check my job script* runs the package in the reader's browser.

Python is Pyodide's, the parser of the shell is tree-sitter's; both come from npm and are used only where they are the
pinned ones. Without npm there are none, and the page says so.
"""

import io
import json
import shutil
import zipfile
from functools import cache
from pathlib import Path

from workshop import sites
from workshop.book.npm import Package, Unavailable
from workshop.paths import PACKAGE, REPO

PYODIDE = Package(
    "pyodide",
    "0.29.5",
    "sha512-TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQKyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw==",
)
# Its parser is that of requirements.txt, so that a broken script is read alike.
TREE_SITTER = Package(
    "web-tree-sitter",
    "0.26.11",
    "sha512-Q5Dm3YTIXSXuH6FxX6RuzX2Qwpc4DPGiYMU87Wg5Z8OIStiQFiUex4zMDc0vBTw78EphaYJacncJghCHzbZptg==",
)
GRAMMAR = Package(
    "tree-sitter-bash",
    "0.25.1",
    "sha512-7hMytuYIMoXOq24yRulgIxthE9YmggZIOHCyPTTuJcu6EU54tYD+4G39cUb28kxC6jMf/AbPfWGLQtgPTdh3xw==",
)
FILES = {
    PYODIDE: ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
    TREE_SITTER: ("web-tree-sitter.js", "web-tree-sitter.wasm"),
    GRAMMAR: ("tree-sitter-bash.wasm",),
}
PAGE = "book/check_script"
FOLDER = "check"  # below the site's _static
SCRIPTS = REPO / "book" / "static" / FOLDER
# What of the package answers questions on job scripts: the standard library is all that it needs.
PARTS = ("__init__.py", "paths.py", "in_browser.py", "jobs/**/*.py", "sites/**/*.py")


@cache
def missing() -> str | None:
    """Have the packages here; where that is impossible, the reason (asked once in a process)."""
    try:
        for package, names in FILES.items():
            package.file(names[0])
    except Unavailable as reason:
        return str(reason)
    return None


def write(folder: Path) -> None:
    """Write all that the page loads when it is asked to: Python, the parser, the package, the sites.

    Raises:
        Unavailable, WrongFile: see ``npm.Package.file``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for package, names in FILES.items():
        for name in names:
            (folder / name).write_bytes(package.file(name))
    for script in SCRIPTS.iterdir():
        shutil.copy(script, folder)
    (folder / "workshop.zip").write_bytes(archive())
    (folder / "sites.json").write_bytes(_sites())


def loaded() -> int:
    """Bytes that the page fetches, uncompressed, without the scripts that it imports."""
    names = {name: package for package, files in FILES.items() for name in files if not name.endswith((".js", ".mjs"))}
    return sum(len(package.file(name)) for name, package in names.items()) + len(archive()) + len(_sites())


def _sites() -> bytes:
    """JSON: name of each site -> its values."""
    return json.dumps({site.name: site.values for site in sites.all_sites()}, ensure_ascii=False).encode()


def archive() -> bytes:
    """The package as a zip file, the same bytes each time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as files:
        for path in sorted({path for part in PARTS for path in PACKAGE.glob(part)}):
            entry = zipfile.ZipInfo(f"workshop/{path.relative_to(PACKAGE)}")  # with the date of no file
            entry.compress_type = zipfile.ZIP_DEFLATED
            files.writestr(entry, path.read_bytes())
    return data.getvalue()
