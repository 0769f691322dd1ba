"""``read_script``: which scheduler, which lines, then the reader of that scheduler."""

from __future__ import annotations

import re
from pathlib import Path

from workshop.jobs.dialect import dialect, dialects
from workshop.jobs.model import Finding, Script
from workshop.jobs.parts import sources
from workshop.jobs.parts.text import MAX_CHARS, Heredoc, decode, heredocs, numbered, split_lines

# Torque shares its directives with PBS, which comes first.
ENDINGS = {ending: one.name for one in dialects().values() for ending in one.endings}
MAGIC = {one.magic: one.name for one in reversed(dialects().values())}
_ANY = "|".join(map(re.escape, MAGIC))
DIRECTIVE = re.compile(rf"^[ \t]*({_ANY})\b|^({_ANY})", re.MULTILINE)


class UnreadableInput(Exception):
    """The input is no text at all, so that there is nothing to say about it."""


def read_script(source: str | bytes | Path, scheduler: str | None = None) -> Script:
    """Reads a job script as its scheduler would.

    Args:
        source: a path, the bytes of a file, or the text itself (a string with a line end in it).
        scheduler: ``slurm``, ``pbs`` (also ``pbspro``), ``torque`` or ``lsf``; None = found out from the text.

    Returns:
        The script; what is wrong with it stands in ``problems``.

    Raises:
        UnreadableInput: bytes that are not text.
        OSError: the file cannot be read.
        ValueError: unknown scheduler.
    """
    path, data = _load(source)
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
    script = read_text(text[:MAX_CHARS], scheduler, path)
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


def read_text(text: str, scheduler: str | None = None, path: str = "<text>") -> Script:
    """Reads decoded text; see ``read_script``."""
    name = dialect(scheduler).name if scheduler else detect_scheduler(text, path)
    script = Script(name, path, text)
    lines = split_lines(text)
    script.seen.crlf = "\r\n" in text or text.endswith("\r")
    script.seen.bom = text.startswith("\ufeff")
    generated = _generated(lines, name)
    if generated:
        script.seen.generated, script.seen.first_line = generated, generated.start
        lines = numbered(generated)
    script.seen.lines = [line.rstrip("\r") for line in lines]
    dialect(name).read(lines, script)
    return script


def detect_scheduler(text: str, path: str = "") -> str:
    """The scheduler that a file is meant for: by its directives, else its name, else its body; at last Slurm."""
    counts = dict.fromkeys((name for name in dialects() if name in MAGIC.values()), 0)
    for match in DIRECTIVE.finditer(text):
        counts[MAGIC[match[1] or match[2]]] += 1
    ending = ENDINGS.get(Path(path).suffix) if path else None
    # An sbatch file may carry old lines of another system; one #SBATCH line makes it a file for Slurm.
    if counts["slurm"]:
        found = "slurm"
    elif any(counts.values()):
        found = max(counts, key=counts.get)
    elif ending:
        found = ending
    else:
        hints = {one.name: one.hint_of_script for one in dialects().values() if one.hint_of_script}
        found = next((name for name, hint in hints.items() if re.search(hint, text)), "slurm")
    relative = dialect(found).relative
    return relative(text) if relative else found


def _generated(lines: list[str], scheduler: str) -> Heredoc | None:
    """The here-document that holds the real script, where the file only writes or submits it."""
    magic = dialect(scheduler).magic
    documents = heredocs(lines)
    inside = {n for doc in documents for n in range(doc.start, doc.start + len(doc.lines))}
    if any(line.lstrip().startswith(magic) for number, line in enumerate(lines, 1) if number not in inside):
        return None
    for document in documents:
        if any(line.lstrip().startswith(magic) for line in document.lines):
            return document
    return None
