"""Reading YAML files."""

from pathlib import Path
from typing import Any

import yaml

# libyaml's parser, where PyYAML was built with it, is ten times as fast as the one in Python.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """What a YAML file of this repository holds, read safely: no objects of classes are made.

    Raises:
        yaml.YAMLError: the file is no YAML.
    """
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)
