"""How much a test tries: less in `make test`, much more in `make test-all`."""

import os

# Set by `tests/run_all.py --all`.
VARIABLE = "WORKSHOP_TEST_ALL"


def examples(number: int) -> int:
    """How many random examples Hypothesis tries, for a test whose usual number is ``number``."""
    return number * 10 if os.environ.get(VARIABLE) == "1" else number // 2
