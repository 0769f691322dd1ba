"""Write a checkpoint so that a job killed at any moment leaves a complete file."""

from pathlib import Path


def save(content: bytes, path: Path) -> None:
    """Put ``content`` into the file ``path``, which may hold an older checkpoint."""
    with open(path, "wb") as file:
        file.write(content)
