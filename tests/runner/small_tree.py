"""A small repository with the real runner, in which whole test runs take seconds."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from workshop.paths import REPO

CONFTEST = 'pytest_plugins = ["runner.plugin"]\n'
MARKERS = ("slow", "extensive", "awaited(when)", "no_receipt")
INI = "[pytest]\nmarkers =\n" + "".join(f"    {name}: as in tests/pytest.ini\n" for name in MARKERS)


class SmallTree:
    """The package ``workshop``, the runner, and tests of one's own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", "test_*", "small_tree.py", "changed_inputs.py")
        shutil.copytree(REPO / "scripts" / "workshop", root / "scripts" / "workshop", ignore=ignore)
        shutil.copytree(REPO / "tests" / "runner", root / "tests" / "runner", ignore=ignore)
        for name in ("run_all.py", "amount.py", "system-packages.txt"):
            shutil.copy(REPO / "tests" / name, root / "tests" / name)
        (root / "_toc.yml").write_text("format: jb-book\nroot: index\n")
        self.write("requirements.txt", "one==1\n")
        self.write("tests/conftest.py", CONFTEST)
        self.write("tests/pytest.ini", INI)
        self.write("tests/durations.json", "{}")
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "WORKSHOP"))}
        self.env["PYTHONPATH"] = str(root / "scripts")

    def write(self, name: str, text: str) -> Path:
        """Write a file, with its folders."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def pytest(self, *words: str, receipts: str = "take") -> dict:
        """Run pytest as run_all.py does; the results that it leaves."""
        results = self.root / "results.json"
        results.unlink(missing_ok=True)
        env = {**self.env, "WORKSHOP_TEST_RESULTS": str(results), "WORKSHOP_RECEIPTS": receipts}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", *words]
        done = subprocess.run(command, cwd=self.root, env=env, capture_output=True, text=True)
        assert results.is_file(), done.stdout + done.stderr
        return json.loads(results.read_text())

    def run_all(self, *words: str, **env: str) -> tuple[int, str]:
        """The whole runner: its exit status, and what it printed."""
        command = [sys.executable, str(self.root / "tests" / "run_all.py"), *words]
        done = subprocess.run(
            command,
            cwd=self.root,
            env={**self.env, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout
