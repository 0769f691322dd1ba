"""What is known at one place of a script: variables, functions, files; and what a reading of it holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from workshop.jobs.parts.grammar import Node
from workshop.jobs.parts.values import BATCH, Source, Value, Word


@dataclass(frozen=True)
class Variable:
    """What a variable holds: a value, or the elements of an array. ``exported`` to the programs that are started."""

    value: Value = ()
    elements: tuple[Value, ...] | None = None
    exported: bool = False


@dataclass
class Environment:
    """What the shell knows at one place: variables, functions, arguments, and files that the script wrote itself."""

    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    files: dict[str, Value] = field(default_factory=dict)
    arguments: tuple[Value, ...] | None = None
    exports_all: bool = False

    def copy(self) -> Environment:
        return Environment(
            dict(self.variables), dict(self.functions), dict(self.files), self.arguments, self.exports_all
        )

    def child(self, keeps: bool = True) -> Environment:
        """Of a program that is started: exported variables only, or none (``keeps`` False: ssh)."""
        kept = {name: held for name, held in self.variables.items() if held.exported} if keeps else {}
        return Environment(kept, dict(self.functions) if keeps else {}, dict(self.files))

    def value(self, name: str) -> Value | None:
        """The value of a variable that the script sets, else None."""
        held = self.variables.get(name)
        if held is None:
            return None
        if held.elements is not None:
            return held.elements[0] if held.elements else ()
        return held.value


@dataclass
class Function:
    """A function of the script. ``called`` says whether anything that was read calls it."""

    name: str
    line: int
    body: Node
    source: Source
    called: bool = False


@dataclass(frozen=True)
class Marks:
    """Under which circumstances a command runs.

    Attributes:
        by: the shell that runs it, ``batch`` or ``task``. background: ``&``. conditional: in a branch, behind ``||``;
        condition: on what, as written, outermost first. A branch that constants of the script rule out is not read.
        repeated: in a loop. substituted: how deep inside ``$(…)``. function: whose body it is.
        uncalled: nothing calls that function. handler: runs in a trap.
        unsure: the grammar could not read the place. test: its status is asked (``if x``).
    """

    by: str = BATCH
    background: bool = False
    conditional: bool = False
    repeated: bool = False
    substituted: int = 0
    function: str = ""
    uncalled: bool = False
    handler: bool = False
    unsure: bool = False
    test: bool = False
    condition: tuple[str, ...] = ()
    piped_from: bool = False
    piped_to: bool = False


@dataclass(frozen=True)
class Assignment:
    """A variable that gets a value. ``elements`` of an array; ``of`` a command in front of which it stands, or None."""

    name: str
    value: Value
    line: int
    start: int | None
    end: int | None
    marks: Marks
    elements: tuple[Value, ...] | None = None
    exported: bool = False
    before_command: bool = False


@dataclass(frozen=True)
class Command:
    """A simple command.

    Attributes:
        words: after the expansions that are known; the first is the program. raw: as it stands in the file.
        assigns: assignments in front of it. line: 1-based. start, end: its place in the file, or None.
        marks: circumstances. environment: variables at this place.
        stdin: what it reads, where the script says it (here-document, ``<<<``, ``echo x |``). reads: file behind ``<``.
        writes: file behind ``>``. calls: name of the function of the script that it calls.
    """

    words: tuple[Word, ...]
    assigns: tuple[Assignment, ...]
    line: int
    start: int | None
    end: int | None
    marks: Marks
    environment: Environment
    raw: str = ""
    stdin: Value | None = None
    reads: Value | None = None
    writes: Value | None = None
    calls: str = ""

    @property
    def name(self) -> str:
        """The program without its folder; empty where it is not known."""
        text = self.words[0].text if self.words else None
        return text.rpartition("/")[2] if text else ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        return self.words[1:]


@dataclass
class Reading:
    """What was read. ``broken``: lines that the grammar could not read. ``shell``: False for csh, Python, R.

    ``tests``: where a test ``[ … ]`` stands whose brackets touch a word, and its text. ``end``: where the script ends
    before its last line, by ``exit`` or ``exec``.
    """

    text: str
    commands: list[Command] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    tests: list[tuple[int, str]] = field(default_factory=list)
    shell: bool = True
    interpreter: str = "sh"
    end: int | None = None

    def named(self, *names: str) -> list[Command]:
        """The commands with one of these names."""
        return [command for command in self.commands if command.name in names]

    def set(self, name: str) -> list[Assignment]:
        """The assignments to ``name``."""
        return [assignment for assignment in self.assignments if assignment.name == name]
