"""Read the learner's .bashrc as ``scp`` makes the cluster read it, and as a login does, and look at what happens."""

import os
import subprocess
import tempfile
from pathlib import Path

SAY = 'printf "%s\\n" "READ" "$PWD" "$PATH"; alias q 2> /dev/null'


def check(path: Path) -> list[str]:
    """What is still wrong with the bash file ``path``: one sentence each, empty if nothing."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name).resolve()
        (home / "project").mkdir()
        (home / ".bashrc").write_text(Path(path).read_text())
        # A copy: bash is not interactive, and what it prints goes to the program on the other side.
        copy = _bash(home, "--norc", "-c", f"source ~/.bashrc; {SAY}")
        person = _bash(home, "--rcfile", str(home / ".bashrc"), "-i", "-c", SAY)
        return _problems_of_copy(copy, home) + _problems_of_person(person, home)


def _problems_of_copy(done: subprocess.CompletedProcess, home: Path) -> list[str]:
    printed, mark, rest = done.stdout.partition("READ\n")
    if not mark:
        return ["A shell that copies files ends while it reads the file: use return, not exit."]
    problems = []
    if said := (printed + done.stderr).strip():
        problems.append(
            f"A copy by scp or rsync would read this text as if it were data: {said.splitlines()[0]!r}. "
            "Let nothing print unless the shell is interactive ($- contains i)."
        )
    folder, path = rest.splitlines()[:2]
    if folder != str(home):
        problems.append("For a copy the file changes the folder, so 'scp x cluster:' puts x elsewhere: not for copies.")
    if str(home / "bin") not in path.split(":"):
        problems.append("Jobs and remote commands need ~/bin in PATH too: set it before the line that returns.")
    return problems


def _problems_of_person(done: subprocess.CompletedProcess, home: Path) -> list[str]:
    printed, mark, rest = done.stdout.partition("READ\n")
    if not mark:
        return ["An interactive shell ends while it reads the file."]
    problems = []
    if "Welcome back" not in printed:
        problems.append("A person who logs in should still be greeted.")
    if "alias q=" not in rest:
        problems.append("A person who logs in should still have the alias q.")
    if rest.splitlines()[0] != str(home / "project"):
        problems.append("A person who logs in should still stand in ~/project.")
    return problems


def _bash(home: Path, *options: str) -> subprocess.CompletedProcess:
    env = {"HOME": str(home), "USER": "ada", "PATH": os.environ["PATH"], "TERM": "dumb", "LC_ALL": "C"}
    command = ["bash", "--noprofile", *options]
    return subprocess.run(
        command, cwd=home, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20
    )
