"""Where things are: one place that knows the layout of the repository.

``REPO``, ``SCRIPTS`` and ``BUILD`` are folders of the clone that this package belongs to. A package that was installed
without one has none of them: importing such a name then raises `NoCourse`. Every package has `data`.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# This file is scripts/workshop/paths.py of a clone, or workshop/paths.py among the packages of an environment.
_ABOVE = PACKAGE.parents[1]
COURSE = _ABOVE if PACKAGE.parent.name == "scripts" and (_ABOVE / "_toc.yml").is_file() else None

if COURSE:
    REPO = COURSE
    SCRIPTS = REPO / "scripts"
    BUILD = REPO / "_build"


class NoCourse(RuntimeError):
    """Something of the course itself was asked for, and the package was installed without it."""


def __getattr__(name: str) -> Path:
    """Called for names that are not defined above.

    Raises:
        NoCourse: a folder of the repository, which is not there.
    """
    if name in ("REPO", "SCRIPTS", "BUILD"):
        raise NoCourse("needs a clone of the course, with the environment that 'make env' makes in it")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def data(name: str) -> Path:
    """The folder ``scripts/NAME`` of the clone; without one, its copy in the package (pyproject.toml has the list)."""
    return COURSE / "scripts" / name if COURSE else PACKAGE / "data" / name
