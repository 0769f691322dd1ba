"""What a rule gets and gives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from workshop.jobs.dialect import Dialect, dialect
from workshop.jobs.launch import Launch, Shape
from workshop.jobs.launch.questions import asks_for_size
from workshop.jobs.launch.read import launches
from workshop.jobs.model import JobRequest, Script
from workshop.jobs.parts.csh import as_sh, is_csh
from workshop.jobs.parts.directives import respelt
from workshop.jobs.parts.reading import Reading
from workshop.jobs.parts.script_words import read_script
from workshop.jobs.parts.text import BODY_LIMIT, MAX_CHARS
from workshop.jobs.parts.used import used_variables
from workshop.jobs.profile import Profile


@dataclass
class Context:
    """One script with all that a rule may look at.

    Attributes:
        script: as read. profile: facts of the site. submit: how it is handed over, if known.
    """

    script: Script
    profile: Profile
    submit: str | None = None

    @property
    def dialect(self) -> Dialect:
        """What is known of the script's scheduler."""
        return dialect(self.script.scheduler)

    @property
    def request(self) -> JobRequest:
        return self.script.request

    @property
    def requests(self) -> list[JobRequest]:
        """The request, or those of all components of a heterogeneous job."""
        return self.script.components or [self.script.request]

    @property
    def heterogeneous(self) -> bool:
        return bool(self.script.components)

    def exported(self, name: str, value: str) -> str:
        """How the script's own shell gives a variable to the programs that it starts."""
        return f"setenv {name} {value}" if is_csh(f"#!{self.script.shebang}") else f"export {name}={value}"

    def rewritten(self, start: int | None, old: str, new: str) -> str:
        """Advice to write ``new`` for ``old``, which stands at ``start`` in the text of ``reading``; with the edit
        where that text is the file's own."""
        text = _job_text(self.script)
        if start is None or self.script.seen.generated or not text.startswith(old, start):
            return new
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start) - 1
        there = self.script.seen.lines[line - 1 : line]
        if there != text.split("\n")[line - 1 : line]:
            return new  # csh is read in other words than its own
        return respelt(line, there[0], column, column + len(old), new)

    @property
    def body_is_data(self) -> bool:
        """True for a file of more than 4 MB, whose body is not read."""
        return len(self.script.text) > BODY_LIMIT

    @cached_property
    def reading(self) -> Reading:
        """The body's commands, word by word; of a file that submits a here-document those of the job in it."""
        if self.body_is_data or self.script.seen.program:
            return Reading("", shell=False)
        return read_script(_job_text(self.script))

    @cached_property
    def launches(self) -> list[Launch]:
        """What the job starts, without the functions that nothing calls."""
        return [launch for launch in launches(self.reading) if not launch.marks.uncalled]

    @cached_property
    def certain(self) -> list[Launch]:
        """The launches that may be compared with the request: not those in a branch for jobs of another size."""
        return [launch for launch in self.launches if not asks_for_size(launch)]

    @cached_property
    def shape(self) -> Shape:
        """The request's numbers that launches depend on; of a heterogeneous job none is known."""
        return Shape() if self.heterogeneous else _shape(self.request)

    @property
    def on_separate_nodes(self) -> bool:
        """False where parts of the job may lie on one node: PBS's chunks, as long as ``place`` does not part them."""
        if self.dialect.package != "pbs" or (self.request.nodes or 1) == 1:
            return True
        return "scatter" in (self.request.place or "")

    @cached_property
    def code(self) -> list[tuple[int, str]]:
        """The lines from the first command to the script's end, with their 1-based numbers, without comments."""
        if self.body_is_data or self.script.seen.program:
            return []
        lines = enumerate(self.script.seen.lines, 1)
        first, last = self.script.body_line, self.line_of(self.reading.end) or len(self.script.seen.lines)
        return [(n, line) for n, line in lines if first <= n <= last and not line.lstrip().startswith("#")]

    @cached_property
    def used(self) -> dict[str, int]:
        """Variables that the job asks for, its inner shells included -> the first line where it does."""
        if not self.reading.shell:
            return {}
        found = used_variables(self.reading.text[: self.reading.end])
        for atom in (atom for launch in self.launches for atom in launch.atoms()):
            if atom.kind == "variable" and atom.start is not None:
                found[atom.text] = min(atom.start, found.get(atom.text, atom.start))
        return {name: self.line_of(place) or 1 for name, place in found.items()}

    def line_of(self, position: int | None) -> int | None:
        """The 1-based line of a place in the body; None where it has none."""
        return None if position is None else self.reading.text.count("\n", 0, position) + 1

    def line(self, *options: str) -> int | None:
        """Line of the last directive that gives one of ``options``."""
        lines = [d.line for d in self.script.directives if d.option in options]
        return lines[-1] if lines else None

    def given(self, *options: str) -> bool:
        return self.line(*options) is not None


# A backslash with blanks behind it, and perhaps a remark: meant to continue the line, which is a finding of its own.
BLANK_BEHIND = re.compile(r"\\([ \t]+)$|(?<=[ \t])\\([ \t]+#[^\n\"'`]*)$", re.MULTILINE)


def _job_text(script: Script) -> str:
    """The text that the job's shell reads, each line at its place in the file; continued where that is meant."""
    return BLANK_BEHIND.sub(lambda match: " " * (len(match[0]) - 1) + "\\", _written_text(script))


def _written_text(script: Script) -> str:
    generated = script.seen.generated
    text = "\n".join(script.seen.lines) + "\n" if generated or script.seen.crlf else script.text[:MAX_CHARS]
    if generated is None:
        return as_sh(text) if is_csh(text) else text
    # A here-document without quotes loses the backslashes that kept its variables from the outer shell.
    return re.sub(r"\\([$`\\])", r"\1", text) if generated.expands else text


def _shape(request: JobRequest) -> Shape:
    each = request.tasks_per_node
    if each and request.tasks and request.nodes and each * request.nodes != request.tasks:
        each = None  # --ntasks wins over --ntasks-per-node
    return Shape(request.nodes, request.tasks, each, request.cpus_per_task, request.gpus_per_node)


VARIABLE = re.compile(r"\$(?:\{)?([A-Za-z_]\w*)")


def variables(text: str) -> set[str]:
    """Names of the shell variables that ``text`` uses."""
    return set(VARIABLE.findall(text))


def guarded(line: str, name: str) -> bool:
    """True where ``line`` asks whether ``name`` is set, as portable scripts do: ``${X:-…}``, ``[ -n "$X" ]``."""
    tests = (
        rf"\$\{{{name}[:]?[-+=?]",
        rf"-[nzv]\s+[\"']?\$?\{{?{name}\b",
        rf"\[\[?\s+[\"']?\$\{{?{name}\}}?[\"']?\s+\]",
    )
    return any(re.search(test, line) for test in tests)
