"""Does the definition file do what the Dockerfile did? Sections are read, and runscript and environment are run."""

import re
import subprocess
import tempfile
from pathlib import Path

from workshop.apptainer import definition
from workshop.exercise import stand_ins

PROGRAM = "/opt/app/train.py"
RECORDER = '#!/bin/sh\nprintf "%s\\n" "$PYTHONUNBUFFERED" "$@" > "$SEEN"\n'


def check(path: Path) -> list[str]:
    """What is still wrong with the definition file ``path``: one sentence each, empty if nothing."""
    found = definition.read(path.read_text())
    problems = definition.problems(found)
    if found.header.get("bootstrap") == "docker" and not found.header.get("from", "").endswith("debian:12.11-slim"):
        problems.append("The base must be that of the Dockerfile: debian:12.11-slim.")
    return problems + _files(found) + _post(found) + _run(found)


def _files(found: definition.Definition) -> list[str]:
    """Whether both files get to /opt/app, by any right spelling."""
    inside = set()
    for line in found.sections.get("files", "").splitlines():
        words = line.split()
        if len(words) == 2 and not words[0].startswith("#"):
            folder = words[1].endswith("/") or words[1] == "/opt/app"
            inside.add(f"{words[1].rstrip('/')}/{Path(words[0]).name}" if folder else words[1])
    wanted = ("/opt/app/requirements.txt", PROGRAM)
    return [f"COPY becomes %files: {name} does not get into the image." for name in wanted if name not in inside]


def _post(found: definition.Definition) -> list[str]:
    post = found.sections.get("post", "")
    problems = []
    if "python3-pip" not in post:
        problems.append("RUN becomes %post: python3-pip is not installed.")
    full = re.search(r"pip3? install.*(-r|--requirement)[ =]/opt/app/requirements.txt", post)
    moved = re.search(r"\bcd /opt/app\b[\s\S]*pip3? install.*(-r|--requirement)[ =](\./)?requirements.txt", post)
    if not full and not moved:
        problems.append("%post does not install /opt/app/requirements.txt; there is no WORKDIR, so give the full path.")
    if re.search(r"^\s*(exec )?python3? .*train\.py(?!.*--help)", post, flags=re.M):
        problems.append("%post runs once, during the build; what ENTRYPOINT did belongs to %runscript.")
    return problems


def _run(found: definition.Definition) -> list[str]:
    given, default = (_recorded(found, *options) for options in (["--epochs", "9", "a b"], []))
    if given is None or default is None:
        return [
            "The runscript ends without starting python3. There is no WORKDIR: give the full path of the program, "
            "and stay in the user's folder, since the image is read-only."
        ]
    problems = []
    if given[0] != "1":
        problems.append("ENV becomes a line of %environment with 'export': PYTHONUNBUFFERED is not 1 in the container.")
    if given[1:2] != [PROGRAM]:
        problems.append(f"The runscript starts {' '.join(given[1:2]) or 'nothing'}: give the full path {PROGRAM}.")
    elif given[2:] != ["--epochs", "9", "a b"]:
        problems.append('The runscript changes its arguments: hand them on with "$@", in quotes.')
    elif default[2:] != ["--epochs", "5"]:
        problems.append("Without arguments CMD gave --epochs 5; the runscript does not.")
    return problems


def _recorded(found: definition.Definition, *arguments: str) -> list[str] | None:
    """Run environment and runscript as Apptainer does, with a recorder for python; what it saw."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = stand_ins(folder, {"python3": RECORDER, "python": RECORDER})
        text = "\n".join(found.sections.get(section, "") for section in ("environment", "runscript"))
        env = {"PATH": path, "SEEN": str(folder / "seen"), "HOME": name}
        command = ["/bin/sh", "-c", text, "runscript", *arguments]
        try:
            subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=20)
        except subprocess.TimeoutExpired:
            return None
        seen = folder / "seen"
        return seen.read_text().splitlines() if seen.is_file() else None
