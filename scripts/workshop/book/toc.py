"""What the book consists of, read from ``_toc.yml``."""

from pathlib import Path

from workshop.paths import REPO
from workshop.yaml_files import read_yaml


def documents(repo: Path = REPO) -> list[str]:
    """Every document that ``_toc.yml`` names, in reading order, without its extension (``book/first_job``)."""
    toc = read_yaml(repo / "_toc.yml")
    found = [toc["root"]]

    def visit(entries: list[dict]) -> None:
        for entry in entries:
            found.append(entry["file"])
            visit(entry.get("sections", []))

    for part in toc.get("parts", []):
        visit(part["chapters"])
    visit(toc.get("chapters", []))
    return found


def notebooks(repo: Path = REPO) -> list[Path]:
    """The notebooks of the book, in reading order."""
    return [repo / f"{doc}.ipynb" for doc in documents(repo) if doc.startswith("notebooks/")]


def pages(repo: Path = REPO) -> list[Path]:
    """The Markdown pages of the book, in reading order."""
    return [repo / f"{doc}.md" for doc in documents(repo) if not doc.startswith("notebooks/")]
