"""MiniSearch, which searches the site in the reader's browser, and whether it is here.

Without it the site keeps Sphinx's own search.
"""

from functools import cache

from workshop.book.npm import Package, Unavailable

MINISEARCH = Package(
    "minisearch",
    "7.2.0",
    "sha512-dqT2XBYUOZOiC5t2HRnwADjhNS2cecp9u+TJRiJ1Qp/f5qjkeT5APcGPjHw+bz89Ms8Jp+cG4AlE+QZ/QnDglg==",
)


@cache
def missing() -> str | None:
    """Have MiniSearch here; where that is impossible, the reason (asked once in a process)."""
    try:
        MINISEARCH.file("dist/umd/index.js")
    except Unavailable as reason:
        return str(reason)
    return None
