"""A tiny book in a folder of its own, built by the same code as the real one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from workshop.paths import REPO

INDEX = "# Tiny book\n\n[one](book/one.md) [notebook](notebooks/one.ipynb) [two](notebooks/two.ipynb)\n"
TOC = """\
format: jb-book
root: index
chapters:
  - file: book/one
    sections:
      - file: notebooks/one
      - file: notebooks/two
"""


class TinyBook:
    """A repository with one page and two notebooks; ``one`` runs a program of ``scripts/train``, ``two`` does not."""

    def __init__(self, root: Path):
        self.root = root
        shutil.copytree(REPO / "scripts" / "workshop", root / "scripts" / "workshop")
        shutil.copytree(REPO / "book" / "static", root / "book" / "static")
        for name in ("_config.yml", "requirements.txt", "CITATION.cff"):
            shutil.copy(REPO / name, root / name)
        for folder in ("scripts/train", "containers", "tests/sessions", "tests/records", "notebooks"):
            (root / folder).mkdir(parents=True)
        (root / "_toc.yml").write_text(TOC)
        (root / "index.md").write_text(INDEX)
        (root / "book" / "one.md").write_text("# One\n\nText with $HOME and $PATH in it.\n")
        (root / "scripts" / "train" / "helper.py").write_text("VALUE = 1\n")
        (root / "scripts" / "train" / "program.py").write_text("import helper\n\nprint('value', helper.VALUE)\n")
        (root / "scripts" / "train" / "other.py").write_text("print('other')\n")
        self.notebook("one", "from workshop.notebook import run\n_ = run('python scripts/train/program.py')")
        self.notebook("two", "print(1 + 1)")

    def notebook(self, stem: str, *cells: str, tags: tuple[str, ...] = ()) -> Path:
        """Write a notebook with these code cells."""
        notebook = nbformat.v4.new_notebook()
        notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
        notebook.cells = [nbformat.v4.new_markdown_cell(f"# Notebook {stem}")]
        notebook.cells += [nbformat.v4.new_code_cell(c, metadata={"tags": list(tags)}) for c in cells]
        path = self.root / "notebooks" / f"{stem}.ipynb"
        nbformat.write(notebook, path)
        return path

    def page(self, stem: str, text: str) -> None:
        """Write a further page of the book."""
        (self.root / "book" / f"{stem}.md").write_text(text)
        with (self.root / "_toc.yml").open("a") as toc:
            toc.write(f"  - file: book/{stem}\n")

    def run(self, *args: str) -> subprocess.CompletedProcess:
        """Run ``workshop`` of this tiny repository."""
        env = {**os.environ, "PYTHONPATH": str(self.root / "scripts")}
        # `python` in a notebook's shell command must be this one.
        env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
        return subprocess.run(
            [sys.executable, "-m", "workshop", *args],
            cwd=self.root,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture
def tiny(tmp_path: Path) -> TinyBook:
    """A tiny book that nothing has been run in."""
    return TinyBook(tmp_path / "tiny")
