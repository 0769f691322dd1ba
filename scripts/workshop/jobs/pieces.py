"""The options of a script's header, each as a piece of text that can be left out by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workshop.jobs.dialect import dialect
from workshop.jobs.model import Directive, Script

# Separators between the parts of a value that are options of their own.
LISTS = {"-l": "[,:+]", "-gpu": "[:]", "-R": r"[:,\s]"}


@dataclass(frozen=True)
class Piece:
    """An option, or a part of one, that can be left out by itself.

    Attributes:
        line: 1-based. start, end: columns of what is left out. written: as the user wrote it.
        says: (option in its long form, value or part of it without quotes); several where they stand in one word.
    """

    line: int
    start: int
    end: int
    written: str
    says: tuple[tuple[str, str], ...] = ()


def pieces(script: Script) -> list[Piece]:
    """All options of a script's header, those with several parts part by part."""
    found: list[Piece] = []
    by_line: dict[int, list[Directive]] = {}
    for directive in script.directives:
        by_line.setdefault(directive.line, []).append(directive)
    for number, directives in by_line.items():
        found += _of_line(script, number, directives)
    return found


def _of_line(script: Script, number: int, directives: list[Directive]) -> Iterator[Piece]:
    line = script.seen.lines[number - 1] if 0 < number <= len(script.seen.lines) else ""
    magic = dialect(script.scheduler).magic
    begin = line.find(magic) + len(magic)
    if begin < len(magic) or any(one.span is None and one.value is not None for one in directives):
        words = " ".join(dict.fromkeys(_shown(one) for one in directives))
        yield Piece(number, 0, len(line), words, tuple(part for one in directives for part in _says(one)))
        return
    for one in directives:
        begin += len(line[begin:]) - len(line[begin:].lstrip())
        end = one.span[1] if one.span else begin + len(re.match(r"\S*", line[begin:])[0])
        if end <= begin:  # several directives in one word: -l a,b
            continue
        yield from _parts(line, number, one, begin, end)
        begin = end


def _shown(one: Directive) -> str:
    return one.option if one.value is None else f"{one.option}{'=' if one.option.startswith('--') else ' '}{one.value}"


def _parts(line: str, number: int, one: Directive, begin: int, end: int) -> Iterator[Piece]:
    """The parts of a list as pieces, each with the separator in front of it (the first: behind it)."""
    start = one.span[0] if one.span else begin
    quote, inner, spans = _split(one.option, line[start:end])
    if len(spans) < 2 or one.option == "-R":
        yield Piece(number, begin, end, line[begin:end], ((one.option, _bare(one.value)),))
        return
    shift = start + len(quote)
    for index, (first, last) in enumerate(spans):
        text = inner[first:last]
        cut = (first, spans[1][0]) if index == 0 else (first - 1, last)
        says = ((one.option, inner[:last] if index == 0 else text),)
        yield Piece(number, shift + cut[0], shift + cut[1], f"{one.option} … {says[0][1]}", says)


def _says(one: Directive) -> list[tuple[str, str]]:
    """What a directive says, part by part."""
    _, inner, spans = _split(one.option, one.value or "")
    if len(spans) < 2 or one.option == "-R":
        return [(one.option, _bare(one.value))]
    return [(one.option, inner[0 if index == 0 else first : last]) for index, (first, last) in enumerate(spans)]


def _split(option: str, value: str) -> tuple[str, str, list[tuple[int, int]]]:
    """(quote around a value, what is in it, where its parts stand in that)."""
    separator = LISTS.get(option)
    quote = value[:1] if value[:1] in "\"'" and value[:1] == value[-1:] and len(value) > 1 else ""
    inner = value.strip(quote) if quote else value
    head = re.match(r"(?:select=|nodes=)?", inner)[0]
    return quote, inner, _spans(inner, separator, len(head)) if separator else []


def _bare(value: str | None) -> str:
    """A value without the quotes around it."""
    return (value or "").strip("\"'")


def _spans(text: str, separator: str, start: int) -> list[tuple[int, int]]:
    """Where the parts stand. Of ``-l a=1,select=1:ncpus=2`` only chunks have parts of their own; a time has none."""
    found, begin = [], start
    for match in re.finditer(separator, text):
        item = text[text.rfind(",", 0, match.start()) + 1 :]
        whole = separator == LISTS["-l"] and match[0] != "," and not item.startswith(("select=", "nodes="))
        time = text[match.start()] == ":" and re.match(r":\d+(?::|$|,)", text[match.start() :])
        if match.start() < start or whole or time:
            continue
        found.append((begin, match.start()))
        begin = match.end()
    return [*found, (begin, len(text))]
