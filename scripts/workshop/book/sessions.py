"""Console sessions: commands with their expected output, run in the tests and shown on the pages.

``tests/sessions/NAME.t`` is in prysk's form: two spaces, ``$``, a command; below it the output it must print, where a
line that ends in ``(re)`` or ``(glob)`` is a pattern. ``tests/sessions/recorded/NAME.t`` is the same session as it
really went, written by ``make sessions``; the tests check that each recorded line fits its pattern.
"""

import datetime
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from workshop.paths import REPO
from workshop.yaml_files import read_yaml

FOLDER = REPO / "tests" / "sessions"
_SHOW = "#show"
HEAD = "# recorded "
_MARKERS = re.compile(r" \((?:esc|no-eol)\)$")
_ASKS_SLURM = re.compile(
    r"\b(sbatch|srun|salloc|squeue|sinfo|scontrol|sacct|sacctmgr|scancel|sprio|seff|sstat|sshare|sreport)\b"
    r"|workshop (cluster|exercise check)|--pty\b"
)
_SHOWN_REPO = "~/hpc-cluster-workshop"


def all_sessions() -> list[Path]:
    """Every session of the repository, by name."""
    return sorted(FOLDER.glob("*.t"))


def not_typed() -> set[str]:
    """Sessions that nobody can type from what their page shows; all others are typed by the tests, page by page."""
    return {one["session"] for one in read_yaml(FOLDER / "not_typed.yml")["not_typed"]}


def recorded_path(session: Path) -> Path:
    """Where the recorded run of a session lies."""
    return session.parent / "recorded" / session.name


def _commands_only(text: str) -> str:
    """The session without its expected output: prysk then fills in what really comes out."""
    kept = [line for line in text.splitlines() if not line.startswith("  ") or line[2:4] in ("$ ", "> ")]
    return "\n".join(kept) + "\n"


def _outputs(text: str) -> list[str]:
    """The lines of a session that are output, not commands or comments."""
    return [line for line in text.splitlines() if line.startswith("  ") and line[2:4] not in ("$ ", "> ")]


def environment(cluster_env: Mapping[str, str]) -> dict[str, str]:
    """Variables of a session: the practice cluster's, the repository, and the project's environment first on PATH."""
    env = dict(cluster_env)
    env["REPO"] = str(REPO)
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    env["OMP_NUM_THREADS"] = "1"
    return env


def needs(session: Path) -> list[str]:
    """What a session needs, from its opening line ``Needs: accounting, lmod, Slurm 24.11.``"""
    found = re.search(r"^Needs: ([\w, .]+?)\.?$", session.read_text(), flags=re.M)
    return [part.strip() for part in found[1].split(",")] if found else []


def slurm_of(session: Path) -> str:
    """The version of Slurm that a session shows, such as ``24.11``; empty for this machine's own, as most do."""
    return next((part.removeprefix("Slurm ") for part in needs(session) if part.startswith("Slurm ")), "")


def prysk_command(session: str, *options: str) -> list[str]:
    """The command that runs one session with bash; prysk rewrites files only by their bare name."""
    return [str(Path(sys.executable).with_name("prysk")), "--shell=/bin/bash", "--preserve-env", *options, session]


def record(session: Path, run: Callable[..., subprocess.CompletedProcess], cluster_env: Mapping[str, str]) -> None:
    """Run a session and keep what it printed.

    Args:
        session: the file below ``tests/sessions/``.
        run: ``Cluster.run`` of the practice cluster: like ``subprocess.run``, where the cluster's commands work.
        cluster_env: ``Cluster.environment()`` of that cluster.

    Raises:
        RuntimeError: prysk itself failed.
    """
    target, env = recorded_path(session), environment(cluster_env)
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / session.name
        copy.write_text(_commands_only(session.read_text()))
        options = {"cwd": folder, "env": env, "capture_output": True, "text": True}
        result = run(prysk_command(session.name, "-i", "-y"), **options)
        # 1: the output differed from the (empty) expectation, as it must. prysk also ends with 1 when it crashes.
        if result.returncode not in (0, 1) or "Traceback" in result.stderr:
            raise RuntimeError(f"prysk failed on {session.name}: {result.stdout}{result.stderr}")
        text = copy.read_text()
        if not _outputs(text) and _outputs(session.read_text()):
            raise RuntimeError(f"{session.name}: prysk recorded no output: {result.stdout}{result.stderr}")
    target.write_text(f"{HEAD}{datetime.date.today()} {made_with(session, text, run, env)}\n" + _neutral(text))


def asks_slurm(text: str) -> bool:
    """Whether a session uses the practice cluster: a command of Slurm, or one of ours that starts one."""
    commands = "\n".join(line for line in text.splitlines() if line[:4] in ("  $ ", "  > "))
    return bool(_ASKS_SLURM.search(commands))


def made_with(session: Path, text: str, run: Callable[..., subprocess.CompletedProcess], env: dict[str, str]) -> str:
    """``with slurm-wlm 22.05.8 and torch 2.14.1``: Slurm is named only where the session used it."""
    parts = needs(session)
    if "ssh" in parts:
        said = subprocess.run(["ssh", "-V"], capture_output=True, text=True).stderr
        return "with " + re.match(r"OpenSSH_[\d.]+", said)[0].replace("_", " ")
    versions = []
    if "lmod" in parts:
        lmod = run(["bash", "-c", "echo $LMOD_VERSION"], env=env, capture_output=True, text=True).stdout.strip()
        versions.append(f"Lmod {lmod}")
    if asks_slurm(text):
        versions.append(run(["sbatch", "--version"], capture_output=True, text=True).stdout.strip())
    if "apptainer" in parts:
        versions.append(f"Apptainer {run(['apptainer', 'version'], capture_output=True, text=True).stdout.strip()}")
    elif re.search(r"torchrun|\bddp|scripts/train", text):
        versions.append(f"torch {metadata.version('torch')}")
    if not versions:
        return "without a scheduler"
    return "with " + ", ".join(versions[:-1]) + " and " * (len(versions) > 1) + versions[-1]


def _neutral(text: str) -> str:
    """The output with this machine's own folders replaced: the repository's, and prysk's temporary one."""
    text = re.sub(r"/\S*/prysk-?tests-\w+/[^/\s:;]+", "~", text)
    return text.replace(str(REPO), _SHOWN_REPO)


def prepared(session: Path) -> str:
    """The commands that a session runs before the part that a page shows, as a reader types them; empty if none."""
    head, mark, _ = session.read_text().partition(f"{_SHOW}\n")
    typed = [line[4:] for line in head.splitlines() if line[:4] in ("  $ ", "  > ")] if mark else []
    return "\n".join(typed)


def first(session: Path) -> str:
    """What a reader types in a new terminal before a session that its page alone does not give; empty if nothing.

    The way to the place where it is typed, then what the session prepares. The shell is one of its own, since what is
    prepared (jobs, folders, commands that wait) would stay in the shell in which the rest of the page is typed.
    """
    version = slurm_of(session)
    if not (prepares := prepared(session)) and not version:
        return ""
    lines = [f"cd {_SHOWN_REPO}  # where you cloned the project", "source .venv/bin/activate"]
    lines += ["export REPO=$PWD"] if prepares else []
    if version:
        lines += [f"export WORKSHOP_CLUSTER_DIR=~/slurm-{version}", f"workshop cluster up --slurm {version}"]
    if "cluster shell" in where(session) or version:
        lines.append("workshop cluster shell")
    return "\n".join([*lines, *(['cd "$(mktemp --directory)"', prepares] if prepares else [])])


def on_laptop(session: Path) -> bool:
    """Whether a session is typed on the practice laptop (``workshop ssh``)."""
    text = session.read_text()
    return "\nTyped on the practice laptop.\n" in text or "workshop ssh bash" in text


def where(session: Path) -> str:
    """Where a session is typed."""
    parts = needs(session)
    if on_laptop(session):
        return "on practice machines (workshop ssh)"
    if version := slurm_of(session):
        return f"on a practice cluster with Slurm {version} (workshop cluster up --slurm {version})"
    if asks_slurm(session.read_text()) or {"lmod", "accounting"} & set(parts):
        return "on the practice cluster (workshop cluster shell)"
    return "in a terminal with Apptainer" if "apptainer" in parts else "in any terminal with the course's environment"


def shown(recorded: Path) -> tuple[str, str]:
    """What a page shows of a recorded session: the text at the prompt, and a line that says when it was recorded."""
    lines = recorded.read_text().splitlines()
    about = f"Typed {where(recorded)}; {lines[0].removeprefix('# ').strip()}."
    if _SHOW in lines:
        lines = lines[lines.index(_SHOW) :]
    body = [_MARKERS.sub("", line[2:]) for line in lines if line.startswith("  ")]
    return "\n".join(body), about


def mismatches(session: Path) -> list[str]:
    """Where the recorded run does not fit the session's expectations: empty if every line fits."""
    path = recorded_path(session)
    if not path.is_file():
        return [f"{session.name}: not recorded yet: make sessions"]
    expected = [line for line in session.read_text().splitlines() if line.startswith("  ")]
    got = [line for line in path.read_text().splitlines() if line.startswith("  ")]
    problems = [
        f"{session.name}: expected {want!r}, recorded {line!r}"
        for want, line in zip(expected, got, strict=False)
        if not fits(want, line)
    ]
    if len(expected) != len(got):
        problems.append(f"{session.name}: {len(expected)} lines expected, {len(got)} recorded")
    return problems


def fits(want: str, line: str) -> bool:
    """Whether a recorded line fits one expected line, by prysk's own rules."""
    if want == line:
        return True
    want, line = want[2:], _MARKERS.sub("", line[2:])
    if want.endswith(" (re)"):
        return re.fullmatch(want.removesuffix(" (re)"), line) is not None
    if want.endswith(" (glob)"):
        pattern = re.escape(want.removesuffix(" (glob)")).replace(r"\*", ".*").replace(r"\?", ".")
        return re.fullmatch(pattern, line) is not None
    return want.replace(str(REPO), _SHOWN_REPO) == line
