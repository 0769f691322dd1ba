"""Write a checkpoint so that a job killed at any moment leaves a complete file."""

import os
from pathlib import Path


def save(content: bytes, path: Path) -> None:
    """Put ``content`` into the file ``path``, which may hold an older checkpoint."""
    temporary = path.with_suffix(".tmp")  # in the same folder: a rename works within one file system only
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
