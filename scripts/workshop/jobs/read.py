"""``read_script``: which scheduler, which lines, then the reader of that scheduler."""

from __future__ import annotations

import re
from pathlib import Path

from workshop.jobs.dialect import dialect, dialects
from workshop.jobs.model import OTHER, Finding, JobRequest, Script
from workshop.jobs.parts import script_words, sources
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.systems import SYSTEMS, Sighting, nqsv, other_system
from workshop.jobs.parts.text import MAX_CHARS, Heredoc, decode, heredocs, numbered, split_lines
from workshop.jobs.submit import Submitted, is_grid_engine, masked, submitted

# Torque shares its directives with PBS, which comes first.
ENDINGS = {ending: one.name for one in dialects().values() for ending in one.endings}
MAGIC = {one.magic: one.name for one in reversed(dialects().values())}
_ANY = "|".join(map(re.escape, MAGIC))
DIRECTIVE = re.compile(rf"^[ \t]*({_ANY})\b|^({_ANY})", re.MULTILINE)
# A line that a scheduler would read, if it stands at a place where it looks.
ACTIVE = re.compile(rf"^[ \t]*({_ANY})(?=[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]|-|$)")


class UnreadableInput(Exception):
    """The input is no text at all, so that there is nothing to say about it."""


def read_script(
    source: str | bytes | Path, scheduler: str | None = None, *, as_job: bool = False, path: str | None = None
) -> Script:
    """Reads a job script as its scheduler would.

    Args:
        source: a path, the bytes of a file, or the text itself (a string with a line end in it).
        scheduler: ``slurm``, ``pbs`` (also ``pbspro``), ``torque`` or ``lsf``; None = found out from the text.
        as_job: the file itself is the job, also where it has no directives and submits another one.
        path: what a file is called whose bytes are given.

    Returns:
        The script; what is wrong with it stands in ``problems``.

    Raises:
        UnreadableInput: bytes that are not text.
        OSError: the file cannot be read.
        ValueError: unknown scheduler.
    """
    loaded, data = _load(source)
    path = path or loaded
    text, encoding = decode(data)
    if encoding == "utf-16":
        problem = Finding(
            "not_plain_text",
            "error",
            1,
            "The file is UTF-16, which no scheduler and no shell can read.",
            "save it as UTF-8 without byte order mark (iconv -f UTF-16 -t UTF-8)",
            sources.SBATCH,
        )
        text = text.lstrip("\ufeff")
    elif "\0" in text:
        raise UnreadableInput(f"{path} is a binary file (it has zero bytes), not a job script.")
    else:
        problem = None
    script = read_text(text[:MAX_CHARS], scheduler, path, as_job=as_job)
    script.text, script.seen.encoding = text, encoding
    if problem:
        script.problems.insert(0, problem)
    return script


def _load(source: str | bytes | Path) -> tuple[str, bytes]:
    if isinstance(source, bytes):
        return "<text>", source
    if isinstance(source, Path) or (source and "\n" not in source and not source.startswith("#")):
        return str(source), Path(source).read_bytes()
    return "<text>", source.encode("utf-8", errors="surrogateescape")


def read_text(text: str, scheduler: str | None = None, path: str = "<text>", *, as_job: bool = False) -> Script:
    """Reads decoded text; see ``read_script``."""
    lines = split_lines(text)
    given = dialect(scheduler).name if scheduler else None
    counts = _directives(lines)
    job = None if as_job or any(counts.values()) else submitted(text, lines)
    if given is None and (sighting := _other_system(lines, counts, job)):
        return _unread(text, path, lines, sighting)
    name = given or (job.scheduler if job else detect_scheduler(text, path))
    script = Script(name, path, text)
    if job and dialect(job.scheduler).package == dialect(name).package:
        script.seen.submission, script.seen.generated = job.submission, job.document
    _read(script, lines)
    if given is None:
        script.problems += _two_systems(script, lines, counts)
    if not as_job and _only_commands(script):
        _as_commands(script)
    elif not as_job and _language(script):
        _as_program(script, _language(script))
    return script


LANGUAGES = {".py": "Python", ".r": "R", ".jl": "Julia", ".m": "MATLAB", ".pl": "Perl", ".ipynb": "Jupyter"}


def _language(script: Script) -> str:
    """The language of a file that is what a job runs, and no job script; "" for all others."""
    says_more = script.shebang is not None or script.directives or script.ignored_lines or script.seen.submission
    return "" if says_more or script.seen.generated else LANGUAGES.get(Path(script.path).suffix.lower(), "")


def _as_program(script: Script, language: str) -> None:
    """Claims nothing about a program, and reads none of its lines as a shell's."""
    known = dialect(script.scheduler)
    script.seen.commands = script.seen.program = True
    script.request = JobRequest()
    script.problems = [
        Finding(
            "commands_without_a_job",
            "note",
            None,
            f"This is a file of {language} without #! line and {known.magic} lines: what a job runs, not a job script. "
            f"{known.submit.split()[0]} would find nothing there that says what the job needs.",
            f"a job script that runs it: {known.submit.replace('FILE', 'job' + (known.endings or ('.sh',))[0])}",
            known.manual,
        )
    ]


def _only_commands(script: Script) -> bool:
    """True for a file that nobody submits: steps of an allocation, without #! line, directives or a job's name."""
    known, seen = dialect(script.scheduler), script.seen
    says_more = script.shebang is not None or script.directives or script.ignored_lines or seen.submission
    if says_more or seen.generated or Path(script.path).suffix in known.endings:
        return False
    return bool(script_words.read_script("\n".join(seen.lines)).named(*known.launchers))


def _as_commands(script: Script) -> None:
    """Claims nothing of what an allocation has that is made elsewhere."""
    known = dialect(script.scheduler)
    script.seen.commands, script.request = True, JobRequest()
    script.problems = [one for one in script.problems if one.rule != "shebang_missing_or_not_first_line"]
    submit = known.submit.split()[0]
    script.problems.append(
        Finding(
            "commands_without_a_job",
            "note",
            None,
            f"There is no #! line and no {known.magic} line: these are commands for an allocation that is there "
            f"already, not a job script. {submit} would find nothing there that says what the job needs.",
            f"#!/bin/bash as line 1 and {known.magic} lines below it, if it is to be submitted",
            known.manual,
        )
    )


def _read(script: Script, lines: list[str]) -> None:
    seen = script.seen
    seen.crlf = "\r\n" in script.text or script.text.endswith("\r")
    seen.bom = script.text.startswith("\ufeff")
    seen.generated = seen.generated or _generated(lines, script.scheduler)
    if seen.generated:
        seen.first_line = seen.generated.start
        lines = numbered(seen.generated)
    seen.lines = [line.rstrip("\r") for line in lines]
    dialect(script.scheduler).read(lines, script)


def _directives(lines: list[str]) -> dict[str, list[int]]:
    """Scheduler -> its directive lines (1-based) that are no text of a here-document or a string of the header."""
    inside = {n for doc in heredocs(lines) for n in range(doc.start, doc.start + len(doc.lines))}
    found: dict[str, list[int]] = {name: [] for name in MAGIC.values()}
    for number, line in enumerate(lines, 1):
        match = ACTIVE.match(line)
        if match and number not in inside:
            found[MAGIC[match[1]]].append(number)
    if any(found.values()) and any(quote in "\n".join(lines) for quote in "\"'"):
        strings = _strings(lines)
        found = {name: [number for number in numbers if number not in strings] for name, numbers in found.items()}
    return found


def _strings(lines: list[str]) -> set[int]:
    """Numbers of the lines that begin inside a string."""
    first = lines[0] if lines else ""
    return string_lines(lines, 1, first[2:].strip() if first.startswith("#!") else None)


def _other_system(lines: list[str], counts: dict[str, list[int]], job: Submitted | None) -> Sighting | None:
    if not any(counts.values()):
        grid_engine = Sighting(SYSTEMS[0], job.submission.line) if job and is_grid_engine(job) else None
        known = any(DIRECTIVE.match(line) for line in lines)
        return grid_engine or (None if known else other_system(lines))
    only_pbs = all(not numbers or dialect(name).package == "pbs" for name, numbers in counts.items())
    return nqsv(lines) if only_pbs else None


def _unread(text: str, path: str, lines: list[str], sighting: Sighting) -> Script:
    """A script for a batch system that is not read: nothing is claimed about it."""
    system, line = sighting.system, sighting.line
    script = Script(OTHER, path, text, body_line=len(lines) + 1)
    script.seen.lines, script.seen.system = [line.rstrip("\r") for line in lines], system
    nqsv_like = "#PBS" in lines[line - 1]
    why = "NQSV kept the #PBS lines of its ancestor, but means other things by them. " if nqsv_like else ""
    script.problems.append(
        Finding(
            "other_batch_system",
            "error",
            line,
            f"'{lines[line - 1].strip()[:60]}' is a line of {system.name}, which is not read here. {why}"
            "Nothing is claimed about this script.",
            f"for its own system: {system.submit}; for Slurm, PBS or LSF the directives have to be written anew",
        )
    )
    return script


def detect_scheduler(text: str, path: str = "", otherwise: str = "slurm") -> str:
    """The scheduler that a file is meant for: by its directives, else its name, else its body, else ``otherwise``."""
    lines = split_lines(text)
    counts = {name: len(numbers) for name, numbers in _directives(lines).items()}
    if not any(counts.values()):
        for match in DIRECTIVE.finditer(text):
            counts[MAGIC[match[1] or match[2]]] += 1
    ending = ENDINGS.get(Path(path).suffix) if path else None
    if any(counts.values()):
        found = _among(counts, ending)
    elif ending:
        found = ending
    else:
        hints = {one.name: one.hint_of_script for one in dialects().values() if one.hint_of_script}
        hints["slurm"] = hints.pop("slurm")  # last: scripts for two systems often ask Slurm's variables first
        found = next((name for name, hint in hints.items() if re.search(hint, text)), otherwise)
    relative = dialect(found).relative
    return relative(text) if relative else found


# So many times more lines than #SBATCH lines make the others more than leftovers.
MAJORITY = 3


def _among(counts: dict[str, int], ending: str | None) -> str:
    """Whose a file is that has these directive lines: the ending of its name says it, or the great majority."""
    if ending and counts.get(ending):
        return ending
    most = max(counts, key=counts.get)
    # sbatch also takes old lines of another system, so a few #SBATCH lines make a file for Slurm.
    if counts.get("slurm") and counts[most] < MAJORITY * counts["slurm"]:
        return "slurm"
    return most


def _two_systems(script: Script, lines: list[str], counts: dict[str, list[int]]) -> list[Finding]:
    """A note where the directives of two systems stand in one file: as which it was read, and how to read the other."""
    own = script.scheduler if script.scheduler in counts else dialect(script.scheduler).package
    if script.seen.generated or not counts.get(own):
        return []
    notes = []
    for name, numbers in counts.items():
        if name != own and numbers:
            mine, other = dialect(script.scheduler), dialect(name)
            notes.append(
                Finding(
                    "directives_of_two_systems",
                    "note",
                    numbers[0],
                    f"{_lines(numbers)} for {other.title}, {_lines(counts[own])} for {mine.title}. The file was read "
                    f"as a script for {mine.title}, because of line {counts[own][0]}: "
                    f"'{lines[counts[own][0] - 1].strip()[:60]}'.",
                    f"--scheduler {other.name} reads it as {other.title}'s",
                    mine.manual,
                )
            )
    return notes


def _lines(numbers: list[int]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, numbers[:12]))


def _generated(lines: list[str], scheduler: str) -> Heredoc | None:
    """The here-document that holds the real script, where the file only writes or submits it."""
    magic = dialect(scheduler).magic
    documents = heredocs(lines)
    inside = {n for doc in documents for n in range(doc.start, doc.start + len(doc.lines))}
    if any(line.lstrip().startswith(magic) for number, line in enumerate(lines, 1) if number not in inside):
        return None
    for document in documents:
        if any(line.lstrip().startswith(magic) for line in document.lines):
            return masked(document)
    return None
