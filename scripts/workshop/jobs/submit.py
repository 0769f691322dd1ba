"""Files that are run and submit a job themselves: its text and its options, as far as the file says them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workshop.jobs.dialect import Purpose, dialect, dialects
from workshop.jobs.model import Submission
from workshop.jobs.parts.reading import Command, Reading
from workshop.jobs.parts.script_words import read_script
from workshop.jobs.parts.text import Heredoc, heredocs
from workshop.jobs.parts.values import Atom, Value, shown

# Command -> the scheduler whose options stand behind it; PBS comes before Torque.
SUBMITS = {
    command: one.name for one in reversed(dialects().values()) for command in one.commands.get(Purpose.SUBMIT, ())
}
MENTIONED = re.compile(r"\b(?:" + "|".join(map(re.escape, SUBMITS)) + r")\b")
MAGICS = tuple(one.magic for one in dialects().values())
# Ways of a value that are no names of variables.
NO_VARIABLES = ("here-document", "eval", "file")
# What a shell puts in a here-document for a command or a changed variable, with one more pair of parentheses in it.
SUBSTITUTION = re.compile(r"(?<!\\)(?:\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{\w[^{}]*\})")
BEGINS = re.compile(r"\$[({][\w./-]*|`[\w./-]*")
PLAIN_NAME = re.compile(r"\$\w+")
JOB_VARIABLES = tuple(prefix for one in dialects().values() for prefix in one.prefixes)
# Options of qsub that only Grid Engine has.
GRID_ENGINE = re.compile(r"-(?:pe|cwd|sync|tc|now|hold_jid|shell)$")


@dataclass(frozen=True)
class Submitted:
    """A job that a file submits.

    Attributes:
        scheduler: whose. submission: how. document: its text, at the lines where it stands.
    """

    scheduler: str
    submission: Submission
    document: Heredoc


def submitted(text: str, lines: list[str]) -> Submitted | None:
    """The first job that the file submits with a text or options of its own; None where it submits none.

    The caller has made sure that the file has no directives of its own.
    """
    if not MENTIONED.search(text):
        return None
    reading = read_script(text)
    if any(_is_job_variable(command) for command in reading.commands):
        return None  # it is itself a job, which submits the next one
    calls = [command for command in reading.commands if command.name in SUBMITS]
    found = [one for command in calls if (one := _submitted(command, reading, lines))]
    return next((one for one in found if one.submission.how != "options"), found[0] if found else None)


def is_grid_engine(one: Submitted) -> bool:
    """True where qsub has options that only Grid Engine knows."""
    words = one.submission.words
    return one.submission.command == "qsub" and any(GRID_ENGINE.match(word) for word in words)


def _is_job_variable(command: Command) -> bool:
    """True where the file itself uses a variable that only a job has."""
    values = [word.atoms for word in command.words] + [assign.value for assign in command.assigns]
    names = {atom.text for value in values for atom in value if atom.kind == "variable"}
    return any(name.startswith(JOB_VARIABLES) for name in names) and command.name not in SUBMITS


def _submitted(command: Command, reading: Reading, lines: list[str]) -> Submitted | None:
    scheduler = SUBMITS[command.name]
    words = [word.shown for word in command.arguments]
    counter = getattr(dialect(scheduler).part("read"), "option_words", None)
    count = counter(words) if counter else 0
    how, document = _text_of(command, count, reading, lines)
    options = tuple(words[:count])
    if how == "options" and not options:
        return None
    known = how != "options" and not (len(document.lines) == 1 and document.lines[0].startswith(("$", "`")))
    return Submitted(scheduler, Submission(command.name, command.line, how, options, known), document)


def _text_of(command: Command, count: int, reading: Reading, lines: list[str]) -> tuple[str, Heredoc]:
    """How the job's text comes, and the text at its place."""
    wrap = _wrapped(command)
    rest = command.arguments[count:]
    if wrap is not None:
        return "wrap", _placed(wrap, command.line, lines)
    if command.stdin is not None:
        document = _document(command.stdin, reading, lines)
        return ("here-document", document) if document else ("pipe", _placed(command.stdin, command.line, lines))
    named = shown(command.reads) if command.reads else rest[0].shown if rest else ""
    if named in command.environment.files:
        value = command.environment.files[named]
        return "file", _document(value, reading, lines) or _placed(value, command.line, lines)
    if command.name == "bsub" and rest:
        line = " ".join(word.shown for word in rest)
        return "command", Heredoc(command.line, [line], lines[command.line - 1], expands=True)
    return "options", Heredoc(command.line, [], lines[command.line - 1], expands=True)


def _wrapped(command: Command) -> Value | None:
    for index, word in enumerate(command.arguments):
        if word.text == "--wrap":
            return command.arguments[index + 1].atoms if index + 1 < len(command.arguments) else ()
        if word.prefix.startswith("--wrap="):
            return word.cut(len("--wrap="))
    return None


def _document(value: Value, reading: Reading, lines: list[str]) -> Heredoc | None:
    """The here-document of the file in which ``value`` stands; its directive lines have the constants put in."""
    place = next((atom.start for atom in value if atom.start is not None and atom.is_text), None)
    if place is None:
        return None
    line = reading.text.count("\n", 0, place) + 1
    for document in heredocs(lines):
        if document.start <= line < document.start + len(document.lines):
            return _with_constants(document, value) if document.expands else document
    return None


def _with_constants(document: Heredoc, value: Value) -> Heredoc:
    raw = [line.rstrip("\r") for line in document.lines]
    filled = _directive_text(value).rstrip("\n").split("\n")
    if len(filled) != len(raw):
        return masked(document)
    mixed = [new if _is_directive(old) else old for old, new in zip(raw, filled, strict=True)]
    return Heredoc(document.start, mixed, document.command, expands=True)


def masked(document: Heredoc) -> Heredoc:
    """The document; what its directive lines substitute is one word without blanks, for the result is unknown."""
    if not document.expands:
        return document
    lines = [SUBSTITUTION.sub(_mask, line) if _is_directive(line) else line for line in document.lines]
    return Heredoc(document.start, lines, document.command, expands=True)


def _mask(match: re.Match[str]) -> str:
    written = match[0]
    return f"{BEGINS.match(written)[0]}…{written[-1]}" if re.search(r"[\s'\"#\\]", written[2:]) else written


def _placed(value: Value, line: int, lines: list[str]) -> Heredoc:
    """A text that stands in no here-document: from the line on where its first piece stands."""
    text, filled = (show(value).rstrip("\n").split("\n") for show in (shown, _directive_text))
    if len(text) == len(filled):
        filled = [new if _is_directive(new) else old for old, new in zip(text, filled, strict=True)]
    return Heredoc(line, filled, lines[line - 1] if line <= len(lines) else "", expands=True)


def _is_directive(line: str) -> bool:
    return line.lstrip().startswith(MAGICS)


def _directive_text(value: Value) -> str:
    """Constants as they are; whatever is not known is one word without blanks and quotes that has a ``$``."""
    pieces = [atom.text if atom.is_text else " " if atom.kind == "break" else _unknown(atom) for atom in value]
    for index, following in enumerate(pieces[1:]):
        if PLAIN_NAME.fullmatch(pieces[index]) and re.match(r"\w", following):
            pieces[index] = f"${{{pieces[index][1:]}}}"
    return "".join(pieces)


def _unknown(atom: Atom) -> str:
    """How the script writes a piece that is not known: the variable that holds it, or the substitution itself."""
    name = next((way for way in atom.via if way not in NO_VARIABLES), None)
    if name is not None:
        return f"${name.removeprefix('$')}"
    if atom.kind == "output":
        first = re.match(r"[\w./-]*", atom.text)[0]
        return f"$({first})" if first == atom.text else f"$({first}…)"
    if atom.kind == "arithmetic":
        return "$((…))"
    if re.fullmatch(r"\w+|[@*#?!$-]", atom.text):
        return f"${atom.text}"
    name = re.match(r"\w*", atom.text)[0]
    return f"${{{name}…}}"
