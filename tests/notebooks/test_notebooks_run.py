"""Every notebook runs as its page announces; what ran is kept for the site until something that it uses changes."""

from pathlib import Path

import pytest

from workshop.book import execute
from workshop.book.toc import notebooks


@pytest.mark.slow
@pytest.mark.awaited("now")
@pytest.mark.timeout(1500)  # each cell has a limit of its own
@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path):
    reason = execute.why_stale(notebook)
    print("runs again:" if reason else "kept:", reason or "nothing that it uses has changed")
    execute.ensure(notebook)
