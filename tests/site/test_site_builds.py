"""The site is built from the notebooks' stored runs; the other tests of this folder look at it."""

import pytest

from workshop.book import execute, site
from workshop.book.toc import notebooks


@pytest.mark.awaited("later")
@pytest.mark.no_receipt
@pytest.mark.timeout(900)
def test_the_site_builds(after):
    failed = after("notebooks/")
    assert not failed, "not every notebook ran"
    stale = {notebook.stem: execute.why_stale(notebook) for notebook in notebooks() if execute.why_stale(notebook)}
    assert not stale, "run them first: make book"
    site.build()
    assert site.is_current()
