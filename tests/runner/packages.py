"""The system packages that the tests need (tests/system-packages.txt): what is missing, and its installation."""

import os
import shutil
import subprocess
from pathlib import Path

LIST = Path(__file__).parents[1] / "system-packages.txt"


def wanted() -> list[str]:
    """Packages of system-packages.txt, without those whose program is here from elsewhere (``npm unless npm``)."""
    lines = [line.split() for line in LIST.read_text().splitlines()]
    entries = [words for words in lines if words and not words[0].startswith("#")]
    return [words[0] for words in entries if not (words[1:2] == ["unless"] and shutil.which(words[2]))]


def versions() -> dict[str, str]:
    """Installed version of each wanted package; a package that is not installed is left out."""
    if shutil.which("dpkg-query") is None:
        return {}
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", *wanted()],
        capture_output=True,
        text=True,
    ).stdout
    lines = [line.split() for line in shown.splitlines()]
    return {words[0]: words[1] for words in lines if len(words) == 3 and words[2] == "installed"}


def missing() -> list[str]:
    """Wanted packages that dpkg does not list as installed; all of them where there is no dpkg."""
    installed = versions()
    return [package for package in wanted() if package not in installed]


def install(log: Path) -> str | None:
    """Install what is missing where that is possible; otherwise the command that a person can type."""
    lacking = missing()
    if not lacking:
        return None
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *lacking]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "sudo apt-get update && sudo " + " ".join(command)
    print(f"installing system packages: {' '.join(lacking)}", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with log.open("w") as out:
        for step in (["apt-get", "update"], command):
            if subprocess.run(step, env=env, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
                print(f"  {' '.join(step[:2])} failed: see {log}", flush=True)
                return " ".join(command)
    return None
