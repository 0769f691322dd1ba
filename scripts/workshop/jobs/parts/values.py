"""Values of shell words: what is known of them, who expands them, and where each piece stands in the file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import pairwise

BATCH, TASK = "batch", "task"
# A longer value is data: nothing is claimed about it.
LONGEST_VALUE = 100_000
MOST_ATOMS = 300


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of a value.

    Attributes:
        kind: ``text`` constant text; ``variable`` that the script does not set; ``argument`` of the script ($1);
            ``output`` of a command; ``arithmetic``; ``count`` of the elements of an array; ``loop`` variable;
            ``changed`` (``${X%%,*}``); ``unknown``: set, but to what depends on conditions, loops or input;
            ``break`` between two words of an array.
        text: the text, the name, the command (variables in it expanded as far as known), or the operator.
        by: who expands it: ``batch`` (the shell of the job script, once) or ``task`` (each task for itself).
        start, end: where it stands in the file; None where it stands nowhere as such.
        via: the ways it took, outermost last: names of variables, ``here-document``, ``eval``, ``file``.
        quoted: True where a shell does not split it into words.
        many: True where it may be any number of words.
        parts: default of a variable; operands; values of a loop; elements of an array that is counted.
    """

    kind: str
    text: str = ""
    by: str = BATCH
    start: int | None = None
    end: int | None = None
    via: tuple[str, ...] = ()
    quoted: bool = False
    many: bool = False
    parts: tuple[Value, ...] = ()

    @property
    def is_text(self) -> bool:
        return self.kind == "text"

    def through(self, way: str, quoted: bool | None = None) -> Atom:
        """The same piece where it comes out of ``way``; ``quoted`` or not of its new place, None = as before."""
        if self.kind == "break":
            return self
        via = self.via if way in self.via else (*self.via, way)
        many = self.many if quoted is None or self.is_text else not quoted and self.kind in SPLIT
        quoted = self.quoted if quoted is None else quoted
        return Atom(self.kind, self.text, self.by, self.start, self.end, via, quoted, many, self.parts)


Value = tuple[Atom, ...]
# What may become several words where it stands without quotes. Numbers never do.
SPLIT = ("variable", "argument", "output", "unknown", "changed", "loop")
BREAK = Atom("break")


def constant(value: Value) -> str | None:
    """The text of a value that is known, else None."""
    if len(value) == 1 and value[0].is_text:
        return value[0].text
    return "".join([atom.text for atom in value]) if all(atom.is_text for atom in value) else None


def shown(value: Value) -> str:
    """The value for a reader: text as it is, ``$NAME`` and ``$(command)`` for what is not known."""
    return "".join([_shown(atom) for atom in value])


def _shown(atom: Atom) -> str:
    if atom.is_text:
        return atom.text
    if atom.kind == "break":
        return " "
    if atom.kind == "output":
        return f"$({atom.text})"
    if atom.kind == "arithmetic":
        if len(atom.parts) == 2:
            return f"$(({shown(atom.parts[0])}{atom.text}{shown(atom.parts[1])}))"
        return f"$(({atom.text}))"
    return f"${{#{atom.text}[@]}}" if atom.kind == "count" else f"${atom.text}"


def atoms(value: Value) -> list[Atom]:
    """All atoms of a value, those inside defaults, arithmetic and counted arrays included."""
    found = []
    waiting = list(value)
    while waiting and len(found) < MOST_ATOMS:
        atom = waiting.pop(0)
        found.append(atom)
        for part in atom.parts:
            waiting += part
    return found


def through(value: Value, way: str, quoted: bool | None = None) -> Value:
    """``value`` as it comes out of ``way``; ``quoted`` of its new place."""
    return tuple([atom.through(way, quoted) for atom in value])


def place(value: Value) -> tuple[int | None, int | None]:
    """Where a value stands in the file, without its quotes; None where it stands nowhere in one piece."""
    if not value or any(atom.start is None or atom.end is None for atom in value):
        return None, None
    for before, after in pairwise(value):
        if before.end != after.start:
            return None, None
    return value[0].start, value[-1].end


def bounded(value: Value, name: str, by: str) -> Value:
    """``value``, or unknown where it is too long to be a word."""
    if len(value) > MOST_ATOMS or sum([len(atom.text) for atom in value]) > LONGEST_VALUE:
        return (Atom("unknown", name, by),)
    return value


@dataclass(frozen=True)
class Word:
    """A word of a command after the expansions that are known.

    Attributes:
        atoms: what it is made of. line: 1-based.
        start, end: its source in the file, quotes included, to be replaced as a whole; None where it has no own place.
    """

    atoms: Value
    line: int = 0
    start: int | None = None
    end: int | None = None

    @property
    def text(self) -> str | None:
        """The text where it is known, else None."""
        return constant(self.atoms)

    @property
    def shown(self) -> str:
        return shown(self.atoms)

    @property
    def many(self) -> bool:
        """True where it may be any number of words: ``$OPTS``, ``"$@"``."""
        return any(atom.many for atom in self.atoms)

    @property
    def prefix(self) -> str:
        """The constant text at its beginning."""
        found = []
        for atom in self.atoms:
            if not atom.is_text:
                break
            found.append(atom.text)
        return "".join(found)

    def cut(self, position: int) -> Value:
        """The value from character ``position`` of ``prefix`` on: what stands behind ``--option=``."""
        rest: list[Atom] = []
        for atom in self.atoms:
            if position and atom.is_text:
                taken = min(position, len(atom.text))
                position -= taken
                if taken == len(atom.text):
                    continue
                start = None if atom.start is None else atom.start + taken
                atom = replace(atom, text=atom.text[taken:], start=start)
            rest.append(atom)
        return tuple(rest)


FIRST_PLACEHOLDER, LAST_PLACEHOLDER = 0xE000, 0xF8FF


@dataclass
class Source:
    """A text that is read as a script, and where each of its pieces came from.

    The file itself is one piece. A string that a shell reads again (``bash -c``, ``eval``, a here-document) has one
    for each atom; what is not text stands there as one private character.
    """

    text: str
    pieces: tuple[Atom, ...] = ()
    begins: list[int] = field(default_factory=list)

    @classmethod
    def of_file(cls, text: str) -> Source:
        return cls(text, (Atom("text", text, BATCH, 0, len(text)),), [0])

    @classmethod
    def of_value(cls, value: Value) -> Source:
        parts, begins, position = [], [], 0
        pieces = value[: LAST_PLACEHOLDER - FIRST_PLACEHOLDER]
        for number, atom in enumerate(pieces):
            text = atom.text if atom.is_text else " " if atom.kind == "break" else chr(FIRST_PLACEHOLDER + number)
            parts.append(text)
            begins.append(position)
            position += len(text)
        return cls("".join(parts), tuple(pieces), begins)

    def atoms(self, start: int, end: int, quoted: bool) -> list[Atom]:
        """The pieces between two positions."""
        found = []
        index = max(bisect_right(self.begins, start) - 1, 0)
        while start < end and index < len(self.pieces):
            atom, begin = self.pieces[index], self.begins[index]
            if atom.is_text:
                stop = min(end, begin + len(atom.text))
                if stop > start:
                    place = None if atom.start is None else atom.start + start - begin
                    text = self.text[start:stop]
                    stand = None if place is None else place + len(text)
                    found.append(replace(atom, text=text, start=place, end=stand, quoted=quoted))
                start = max(start, stop)
            elif atom.kind == "break":
                found.append(Atom("text", " ", atom.by, quoted=quoted))
                start += 1
            else:
                found.append(replace(atom, quoted=quoted, many=not quoted and atom.kind in SPLIT))
                start += 1
            index += 1
        return found

    def place(self, start: int, end: int) -> tuple[int | None, int | None]:
        """Where the text between two positions stands in the file; None where not in one piece."""
        if end <= start:
            return None, None
        index = max(bisect_right(self.begins, start) - 1, 0)
        last = max(bisect_right(self.begins, end - 1) - 1, 0)
        pieces = self.pieces[index : last + 1]
        if not pieces or any(not atom.is_text or atom.start is None for atom in pieces):
            return None, None
        if any(before.end != after.start for before, after in pairwise(pieces)):
            return None, None
        begin = pieces[0].start + start - self.begins[index]
        stop = pieces[-1].start + end - self.begins[last]
        return (begin, stop) if begin < stop else (None, None)
