"""Where things are: one place that knows the layout of the repository."""

from pathlib import Path


def _find_repo() -> Path:
    """The repository's root: the first folder above this file that holds the table of contents.

    Raises:
        RuntimeError: the package was copied or installed without its repository.
    """
    for folder in Path(__file__).resolve().parents:
        if (folder / "_toc.yml").is_file():
            return folder
    raise RuntimeError(
        f"No _toc.yml in any folder above {__file__}: the package 'workshop' works inside its repository only. "
        "Clone the repository and install with: pip install -e scripts/workshop"
    )


REPO = _find_repo()
SCRIPTS = REPO / "scripts"
BUILD = REPO / "_build"
