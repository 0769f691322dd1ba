"""Show how far pip is: `pip install … | setup_progress.py`. Called by setup_env.sh, before anything is installed.

On a terminal one line that changes, elsewhere a line now and then. Standard library only. pip's errors go to standard
error and do not pass through here.
"""

import re
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

UNITS = {"bytes": 1e-6, "kB": 1e-3, "MB": 1, "GB": 1e3}
FOUND = re.compile(r"(?:Collecting|Processing) (?:.*/)?([\w.-]+?)(?:-\d|==|\s|$)")
FETCHED = re.compile(
    r"\s*(?:Downloading|Using cached) \S+?(?P<metadata>\.metadata)? \((?P<size>[\d.]+) (?P<unit>\w+)\)"
)
LARGE_MB = 100  # a download that a reader should know of when there is no terminal
STEP = 25  # packages from line to line when there is no terminal
LONGEST = 79


class Progress:
    """What pip's lines say so far: packages found and megabytes fetched, then packages installed."""

    def __init__(self, place: Path, terminal: bool) -> None:
        self.place, self.terminal = place, terminal
        self.packages, self.megabytes, self.name = 0, 0.0, ""
        self.before = self.count()
        self.over = threading.Event()
        self.watcher: threading.Thread | None = None

    def count(self) -> int:
        """Packages that are installed."""
        return len(list(self.place.glob("*.dist-info")))

    def line(self, text: str) -> None:
        """Take one line of pip's."""
        if found := FOUND.match(text):
            self.packages += 1
            self.name = found[1]
            self.show(always=self.packages % STEP == 0)
        elif (fetched := FETCHED.match(text)) and not fetched["metadata"]:
            size = float(fetched["size"]) * UNITS.get(fetched["unit"], 0)
            self.megabytes += size
            self.show(f" ({size:.0f} MB)", always=size >= LARGE_MB)
        elif text.startswith("Installing collected packages"):
            self.total = text.count(",") + 1
            self.tell(f"Unpacking {self.total} packages", always=True)
            self.watcher = threading.Thread(target=self.watch, daemon=True)
            self.watcher.start()

    def show(self, more: str = "", *, always: bool) -> None:
        self.tell(f"{self.packages} packages, {self.megabytes:.0f} MB: {self.name}{more}", always=always)

    def watch(self) -> None:
        """pip says nothing while it unpacks: count what has come."""
        told = 0
        while not self.over.wait(0.5):
            done = self.count() - self.before
            self.tell(f"Unpacked {done} of {self.total} packages", always=done >= told + STEP)
            told = done if done >= told + STEP else told

    def tell(self, text: str, *, always: bool) -> None:
        if self.terminal:
            print(f"\r{text[:LONGEST]:<{LONGEST}}", end="", flush=True)
        elif always:
            print(text, flush=True)

    def end(self) -> None:
        self.over.set()
        if self.watcher:
            self.watcher.join()
            self.tell(f"Unpacked {self.count() - self.before} packages", always=True)
        if self.terminal and self.packages:
            print()


def main(lines: Iterable[str], place: Path, terminal: bool) -> None:
    progress = Progress(place, terminal)
    for line in lines:
        progress.line(line)
    progress.end()


if __name__ == "__main__":
    main(sys.stdin, Path(sys.argv[1]), sys.stdout.isatty())
