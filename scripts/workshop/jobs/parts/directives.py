"""Directive lines: how one is written, and those of a script as something that can be changed line by line."""

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from workshop.jobs.dialect import dialect
from workshop.jobs.model import Directive, Edit, Finding, Script, Write

COMMENT_COLUMN = 35


def quoted(value: str) -> str:
    """``value`` in quotes where a directive needs them."""
    if value and not re.search(r"[\s#'\"\\;&|<>(){}\[\]*?]", value):
        return value
    return f"'{value}'" if '"' in value else f'"{value}"'


def directive_line(magic: str, option: str, value: str | None = None) -> str:
    """One directive line; the value stands as it is, so that whoever knows the scheduler quotes it."""
    joiner = "=" if option.startswith("--") else " "
    return f"{magic} {option}" + (f"{joiner}{value}" if value is not None else "")


def columns(line: str, raws: list[str], start: int = 0) -> list[tuple[int, int]]:
    """Where the words of a directive stand, from ``start`` on: [(first column, one past the last)].

    Args:
        raws: the words as written, in order, all of them: nothing but blanks stands between two.
    """
    found = []
    for raw in raws:
        start += len(line[start:]) - len(line[start:].lstrip())
        found.append((start, start + len(raw)))
        start += len(raw)
    return found


def respelt(number: int, line: str, start: int, end: int, new: str) -> str:
    """Advice to write a line again with ``new`` in columns ``start`` to ``end``, and the edit that does it.

    Only the advice for columns that are not in the line: options behind sbatch in a file that submits.
    """
    if not 0 <= start <= end <= len(line):
        return new
    return Write((line[:start] + new + line[end:]).strip(), Edit(number, line[start:end], new, start))


def agreeing(findings: list[Finding], lines: list[str]) -> list[Finding]:
    """The findings, so that all of one line advise the same line: each has its own edit, all show the whole result.

    Only those that show their line written anew, and whose edits do not touch each other.
    """
    ours: dict[int, list[int]] = {}
    for index, finding in enumerate(findings):
        if finding.line and finding.line <= len(lines) and _shows_line(finding, lines[finding.line - 1]):
            ours.setdefault(finding.line, []).append(index)
    told = list(findings)
    for number, indices in ours.items():
        edits = sorted({edit for index in indices for edit in findings[index].edits}, key=lambda edit: edit.start)
        apart = all(one.start + len(one.old) <= other.start for one, other in pairwise(edits))
        for index in indices if apart and len(indices) > 1 else ():
            fix = Write(_edited(lines[number - 1], edits).strip(), *findings[index].edits)
            told[index] = replace(findings[index], fix=fix)
    return told


def _shows_line(finding: Finding, line: str) -> bool:
    """True where a finding's advice is its line with its own edit made."""
    edits = list(finding.edits)
    inside = all(edit.line == finding.line and edit.kind == "replace" for edit in edits)
    return bool(edits) and inside and str(finding.fix) == _edited(line, edits).strip()


def _edited(line: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        line = line[: edit.start] + edit.new + line[edit.start + len(edit.old) :]
    return line


def new_line(number: int, text: str) -> Write:
    """Advice to write a line of its own above line ``number``, and the edit that does it."""
    return Write(text, Edit(number, new=text, kind="insert"))


def revalued(directive: Directive, value: str) -> str:
    """Advice to give a directive another value; a `Write` where the old one has a certain place.

    Args:
        value: as it is written, with the quotes that it needs.
    """
    if directive.span is None:
        return f"{directive.option}{'=' if directive.option.startswith('--') else ' '}{value}"
    return respelt(directive.line, directive.text, *directive.span, value)


def shebang_on_top(lines: list[str], start: int) -> str:
    """Advice for a script whose first line is no #! line; with the edit where only blanks stand in front of one."""
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if start != 1 or first is None or not lines[first].lstrip().startswith("#!"):
        return "#!/bin/bash as line 1, column 1"
    line = lines[first]
    above = [Edit(n + 1, lines[n], kind="delete") for n in range(first)]
    indent = len(line) - len(line.lstrip())
    return Write(f"{line.strip()} as line 1, column 1", *above, *([Edit(first + 1, line[:indent])] if indent else []))


@dataclass
class Line:
    """One line before the first command, with the directives on it (a comment or the shebang has none)."""

    text: str
    directives: list[Directive] = field(default_factory=list)

    @property
    def options(self) -> list[str]:
        return [directive.option for directive in self.directives]


class Header:
    """The lines of a script up to its first command.

    `set` and `remove` work on canonical option names as the reader gives them (``--mem``, ``-l``).
    """

    def __init__(self, script: Script, lines: list[str]) -> None:
        known = dialect(script.scheduler)
        self.keyword, self.comments_on_lines = known.magic, known.comments_on_lines
        on_line: dict[int, list[Directive]] = {}
        for directive in script.directives:
            on_line.setdefault(directive.line, []).append(directive)
        self.lines: list[Line] = []
        for number, text in enumerate(lines, start=1):
            self.lines += self._split(text, on_line.get(number, []))

    def _split(self, text: str, directives: list[Directive]) -> list[Line]:
        """A line with several options becomes one line for each: one can change without the others."""
        one_kind = len({directive.option for directive in directives}) == 1
        if len(directives) < 2 or (one_kind and not self.comments_on_lines):
            return [Line(text, directives)]
        return [Line(self.write(directive.option, directive.value), [directive]) for directive in directives]

    def write(self, option: str, value: str | None, comment: str = "") -> str:
        """A directive line; the comment stands at its end (Slurm, LSF) or is left to the caller (PBS)."""
        if value and value[0] not in "\"'":
            value = quoted(value)
        body = directive_line(self.keyword, option, value)
        return f"{body:<{COMMENT_COLUMN - 2}}  # {comment}" if comment and self.comments_on_lines else body

    def find(self, option: str) -> Line | None:
        """The first line with ``option``, None where there is none."""
        return next((line for line in self.lines if option in line.options), None)

    def remove(self, option: str) -> bool:
        """Take away every line with ``option``, and for PBS the ``# EDIT`` comment above it."""
        kept: list[Line] = []
        found = False
        for line in self.lines:
            if option not in line.options:
                kept.append(line)
                continue
            found = True
            if not self.comments_on_lines and kept and kept[-1].text.startswith("# EDIT"):
                kept.pop()
        self.lines = kept
        return found

    def drop_switched_off(self, option: str) -> None:
        """Take away a directive with ``##`` in front (``##SBATCH --account=NAME``), and the comment above it."""
        off = re.compile(rf"#{self.keyword} {re.escape(option)}(?=[\s=]|$)")
        kept: list[Line] = []
        for line in self.lines:
            if not off.match(line.text):
                kept.append(line)
            elif kept and kept[-1].text.startswith("# EDIT"):
                kept.pop()
        self.lines = kept

    def set(self, option: str, value: str | None, comment: str = "", after: str = "") -> None:
        """Give ``option`` one value: in the place of its first line, else where `add` puts it."""
        old = self.find(option)
        if old is None:
            self.add(option, value, comment, after)
            return
        old.text = self.write(option, value, comment or trailing_comment(old.text))
        old.directives = [Directive(0, old.text, option, value)]
        self._drop_others(option, old)

    def _drop_others(self, option: str, kept: Line) -> None:
        self.lines = [line for line in self.lines if line is kept or option not in line.options]

    def add(self, option: str, value: str | None, comment: str = "", after: str = "") -> None:
        """A further directive: below the line with option ``after``, else before the first directive.

        PBS takes the comment on a line of its own above.
        """
        text = self.write(option, value, comment)
        new = [Line(text, [Directive(0, text, option, value)])]
        if comment and not self.comments_on_lines:
            new.insert(0, Line(f"# {comment}"))
        neighbor = self.find(after) if after else None
        place = self.lines.index(neighbor) + 1 if neighbor else self._first_directive()
        self.lines[place:place] = new

    def append(self, text: str, option: str) -> None:
        """A further directive line as it stands, after the last one."""
        place = max((n for n, line in enumerate(self.lines) if line.directives), default=0) + 1
        self.lines.insert(place, Line(text, [Directive(0, text, option, None)]))

    def note(self, text: str) -> None:
        """A comment line directly below the shebang, after those that are there already."""
        place = 1 if self.lines and self.lines[0].text.startswith("#!") else 0
        while place < len(self.lines) and self.lines[place].text.startswith("# ") and self._is_note(place):
            place += 1
        self.lines.insert(place, Line(text))

    def _is_note(self, place: int) -> bool:
        return self.lines[place].text.startswith(("# Filled for", "# WARNING"))

    def _first_directive(self) -> int:
        """Where the block of the first directive begins: PBS's comment above a line belongs to it."""
        place = next((n for n, line in enumerate(self.lines) if line.directives), len(self.lines))
        while place > 1 and not self.comments_on_lines and self.lines[place - 1].text.startswith("# EDIT"):
            place -= 1
        return place

    def text(self) -> str:
        return "".join(line.text + "\n" for line in self.lines)


def trailing_comment(text: str) -> str:
    """The comment at the end of a directive line, without its ``#``; quotes hide a ``#``."""
    quoted = re.sub(r"\"[^\"]*\"|'[^']*'", lambda match: "q" * len(match.group()), text)
    found = re.search(r"\s#\s*(.*)$", quoted[1:])
    return text[1:][found.start(1) :].strip() if found else ""
