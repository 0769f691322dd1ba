"""Writing small job scripts and rehearsing them in a folder of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from jobfiles import KEYWORDS

from workshop.rehearse import Rehearsal, rehearse


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that only this test uses."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("WORKSHOP_REHEARSE_DIR", str(tmp_path / "counter"))
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder of submission."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def job(home: Path, work: Path) -> Callable[..., Rehearsal]:
    """``job("pbs", ["-N one"], "env", name="job.sh", **options)``: write a script and rehearse it."""

    def run(
        scheduler: str,
        directives: list[str],
        body: str,
        *,
        name: str = "job.sh",
        shebang: str = "#!/bin/bash",
        **options,
    ) -> Rehearsal:
        script = work / name
        lines = [shebang] if shebang else []
        lines += [f"{KEYWORDS[scheduler]} {directive}" for directive in directives]
        script.write_text("\n".join([*lines, "", body, ""]))
        return rehearse(script, scheduler=scheduler, workdir=work, **options)

    return run
