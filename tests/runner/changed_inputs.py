"""Change each kind of input in a small tree, one after the other, and print why the test would have to run then.

``changed_inputs.py FILE``: the file holds ``node``, the id of a test that has a receipt, and ``changes``, of which each
is the name of an environment variable, or a file with its new text (null: one line more).
"""

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, "tests")
from runner import receipts


class Collected:
    """Keeps pytest's items."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = {item.nodeid: item for item in session.items}


@contextmanager
def changed(change: str | list, node: str):
    """The tree, or the environment, with one change."""
    if isinstance(change, str):
        os.environ[change] = "another"
        yield
        del os.environ[change]
        return
    path = Path(change[0].replace("RECEIPT", receipts.place(node).name))
    before = path.read_text() if path.is_file() else None
    path.write_text(change[1] if change[1] is not None else before + "\n")
    yield
    path.unlink() if before is None else path.write_text(before)


def main() -> None:
    """Print a dictionary: name of each change -> why not, or null."""
    asked = json.loads(Path(sys.argv[1]).read_text())
    collected = Collected()
    pytest.main(["-q", "-p", "no:cacheprovider", "--collect-only", "tests"], plugins=[collected])
    reasons = {}
    for name, change in asked["changes"].items():
        with changed(change, asked["node"]):
            receipts.machine.cache_clear()
            receipts.always.cache_clear()
            reasons[name] = receipts.why_not(collected.items[asked["node"]], receipts.digest_of)
    print("\n" + json.dumps(reasons))


if __name__ == "__main__":
    main()
