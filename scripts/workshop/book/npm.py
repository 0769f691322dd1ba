"""Files of npm packages: fetched once, and used only where they are byte for byte the pinned ones."""

import base64
import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from workshop.paths import BUILD

STORE = Path(os.environ.get("WORKSHOP_NPM_DIR") or BUILD / "npm-packages")


class Unavailable(Exception):
    """npm is not installed, or could not fetch the package; the message says which."""


class WrongFile(Exception):
    """What npm fetched is not the package that was pinned."""


@dataclass(frozen=True)
class Package:
    """A version of a package, and the hash of its archive as npm writes it (``sha512-…``)."""

    name: str
    version: str
    integrity: str

    def file(self, path: str) -> bytes:
        """The content of one of its files.

        Raises:
            Unavailable: the package is not in the store and npm could not bring it.
            WrongFile: the archive has another hash.
        """
        archive = STORE / f"{self.name}-{self.version}.tgz"
        if not archive.is_file():
            self._fetch(archive)
        self._check(archive)
        with tarfile.open(archive) as files:
            return files.extractfile(f"package/{path}").read()

    def _fetch(self, archive: Path) -> None:
        if shutil.which("npm") is None:
            raise Unavailable("npm is not installed")
        STORE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=STORE) as folder:
            options = ["--pack-destination", folder, "--ignore-scripts", "--fetch-retries=1", "--silent"]
            command = ["npm", "pack", f"{self.name}@{self.version}", *options]
            done = subprocess.run(command, capture_output=True, text=True)
            fetched = Path(folder) / archive.name
            if done.returncode != 0 or not fetched.is_file():
                raise Unavailable(f"npm could not fetch {self.name}@{self.version}: {done.stderr.strip()[-300:]}")
            fetched.replace(archive)  # others may fetch it at the same time: each finds a whole file

    def _check(self, archive: Path) -> None:
        method, _, wanted = self.integrity.partition("-")
        found = base64.b64encode(hashlib.new(method, archive.read_bytes()).digest()).decode()
        if found != wanted:
            raise WrongFile(f"{archive} has the hash {method}-{found}, not {self.integrity}: remove it and try again")
