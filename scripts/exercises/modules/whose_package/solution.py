"""Whose package is it? ``python whose_package.py torch`` says from which kind of place an import would come."""

import importlib.util
import os
import site
import sys
from pathlib import Path


def whose(name: str) -> str:
    """One of ``module`` (a folder in PYTHONPATH), ``home`` (~/.local), ``environment`` (the virtual environment),
    ``python`` (the interpreter that it was made from), or ``nowhere``.
    """
    spec = importlib.util.find_spec(name)
    if spec is None:
        return "nowhere"
    if spec.origin in ("built-in", "frozen"):
        return "python"
    # A package without __init__.py has no origin, but folders.
    place = Path(spec.origin or next(iter(spec.submodule_search_locations))).resolve()
    kinds = [("module", folder) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    kinds += [("home", site.getusersitepackages()), ("environment", sys.prefix)]
    for kind, folder in kinds:
        if place.is_relative_to(Path(folder).resolve()):
            return kind
    return "python"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {whose(name)}")
