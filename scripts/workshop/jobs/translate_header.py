"""What became of each option of a header: found by reading the script without it, and the new script.

An option answers for the facts that differ when it is not there. They are compared with those of the new header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workshop.jobs.dialect import dialect
from workshop.jobs.fates import Fate, Lists
from workshop.jobs.model import JobRequest, Script, to_plain
from workshop.jobs.parts.written import REPEATED, Loss
from workshop.jobs.pieces import Piece, pieces
from workshop.jobs.read import read_text

# Facts that each scheduler writes in its own way: what stands there says the same, unless a loss says otherwise.
IN_OWN_WORDS = {
    "output", "error", "join", "open_mode", "export", "dependency", "mail_type", "mail_user", "partition", "constraint",
    "array", "place", "signal", "exclusive", "gpu_type", "mem", "requeue", "job_name",
}  # fmt: skip
# Resources of a PBS chunk that other facts speak of.
KNOWN_IN_CHUNK = {"count", "ncpus", "mpiprocs", "ngpus", "mem", "ompthreads", "gpu_type", "accelerator_model",
                  "gpu_model"}  # fmt: skip


# Options whose least value is what holds without them.
DEFAULTS = {
    "--nodes", "--ntasks", "--cpus-per-task", "--ntasks-per-gpu", "--no-requeue", "-n", "-r", "-R span", "-l select",
    "-l nodes", "-l mpiprocs", "-l ncpus", "-l ppn", "-l wd",
}  # fmt: skip


def _named(option: str, value: str) -> str:
    """An option; of those that say several things with the name of the one that it says here."""
    if option not in ("-l", "-R", "-gpu"):
        return option
    return f"{option} {re.match(r'[a-z_]*', value.removeprefix('select='))[0] or 'select'}"


def facts(script: Script) -> dict[str, Any]:
    """What the header asks for, by name; of a heterogeneous job each component's."""
    parts = script.components or [script.request]
    found: dict[str, Any] = {}
    for number, part in enumerate(parts):
        prefix = f"{number}." if len(parts) > 1 else ""
        found |= {prefix + name: value for name, value in _facts(part).items()}
    return found


def _facts(request: JobRequest) -> dict[str, Any]:
    plain = request.to_dict()
    found = {name: value for name, value in plain.items() if value not in (None, False) and name not in REPEATED}
    for name in ("chdir", "hold", "variables", "threads_per_task", "gpus_per_task", "nodes_max", "slots_max"):
        if plain.get(name):
            found[name] = plain[name]
    for number, chunk in enumerate(request.extra.chunks or []):
        found |= {f"chunk {number} {key}": value for key, value in chunk.items() if key not in KNOWN_IN_CHUNK}
    return to_plain(found)


@dataclass
class Account:
    """The header of a script and of its translation, fact by fact.

    Attributes:
        script: the source. new: the translation, read. losses, changes: what the writer said, with and without a
            question to a person.
    """

    script: Script
    new: Script
    losses: list[Loss]
    changes: list[Loss]

    def __post_init__(self) -> None:
        self.before, self.after = facts(self.script), facts(self.new)
        self.unsaid: list[Loss] = []
        self.touched = [(piece, self._touched(piece)) for piece in pieces(self.script)]

    def lists(self) -> Lists:
        """Each option of the header in one list."""
        found = Lists()
        for piece, names in self.touched:
            self._place(piece, names, found)
        return found

    def _touched(self, piece: Piece) -> set[str]:
        """Names of the facts that an option answers for.

        Options behind sbatch or bsub, in a file that submits, are taken together: they answer for all.
        """
        if piece.end == 0 or piece.line > len(self.script.seen.lines):
            return set(self.before)
        lines = list(self.script.seen.lines[: self.script.body_line - 1])
        directives = {one.line for one in self.script.directives}
        lines += self.script.seen.lines[len(lines) : max([*directives, 0])]
        line = lines[piece.line - 1]
        lines[piece.line - 1] = line[: piece.start] + line[piece.end :]
        without = facts(read_text("\n".join([*lines, "true", ""]), self.script.scheduler))
        return {name for name in {*self.before, *without} if self.before.get(name) != without.get(name)}

    def _place(self, piece: Piece, names: set[str], found: Lists) -> None:
        told = [loss for loss in self.losses if self._is_of(loss, names)]
        silent = [loss for loss in self.changes if self._is_of(loss, names)]
        asked = {name for name in names if name in self.before}
        differ = {name for name in asked if not self._same(name)}
        if told:
            gone = all(self._value(name) in (None, [], "") for name in self._named(told[0], asked))
            why, nearest = told[0].reason, told[0].nearest
            fate = Fate(piece.line, "header", piece.written, why, nearest if gone else "", asks=True)
            (found.left_out if gone else found.changed).append(fate)
        elif silent and differ:
            found.changed.append(Fate(piece.line, "header", piece.written, silent[0].reason))
        elif not names and self._says_what_holds(piece):
            found.carried.append(Fate(piece.line, "header", piece.written, "it says what holds without it"))
        elif not names:
            why = "what it asks for is not among the things that are translated"
            self.unsaid.append(Loss(f"'{piece.written}'", why))
            fate = Fate(piece.line, "header", piece.written, why, f"the manual of {self.title}", asks=True)
            found.left_out.append(fate)
        elif not differ:
            found.carried.append(Fate(piece.line, "header", piece.written))
        else:
            self._say(piece, differ, found)

    @property
    def title(self) -> str:
        return dialect(self.new.scheduler).title

    def _says_what_holds(self, piece: Piece) -> bool:
        """True for a number that is the default, and for an option that is given again: the other one counts."""
        names = [_named(option, value) for option, value in piece.says]
        others = [_named(*one) for other, _ in self.touched if other != piece for one in other.says]
        return all(name in DEFAULTS or name in others for name in names)

    def _say(self, piece: Piece, differ: set[str], found: Lists) -> None:
        """What no writer speaks of: said here, fact by fact."""
        title = self.title
        gone = {name for name in differ if self._value(name) is None}
        if gone == differ:
            why = f"{title} has no option that means the same"
            self.unsaid.append(Loss(piece.written, why, tuple(sorted(gone))))
            found.left_out.append(Fate(piece.line, "header", piece.written, why, "ask the site", asks=True))
            return
        now = ", ".join(
            f"{name.replace('_', ' ')} {self.before[name]} -> {self._value(name)}" for name in sorted(differ)
        )
        found.changed.append(Fate(piece.line, "header", piece.written, f"as {title} counts: {now}", asks=False))

    def _is_of(self, loss: Loss, names: set[str]) -> bool:
        return any(name.rpartition(".")[2] in loss.fields for name in names)

    def _named(self, loss: Loss, names: set[str]) -> set[str]:
        return {name for name in names if name.rpartition(".")[2] in loss.fields} or names

    def _value(self, name: str) -> Any:
        plain = name.rpartition(".")[2]
        return next((self.after[one] for one in (name, plain, f"0.{plain}") if one in self.after), None)

    def _same(self, name: str) -> bool:
        value = self._value(name)
        if name.rpartition(".")[2] in IN_OWN_WORDS:
            return value is not None or name in ("join", "open_mode", "mail_type", "exclusive", "place")
        return value == self.before[name]

    def quoted(self, loss: Loss) -> str:
        """The options that a loss speaks of, as the user wrote them; the loss's own words where there is none."""
        found = [piece.written for piece, names in self.touched if self._is_of(loss, names)]
        return ", ".join(f"'{written}'" for written in dict.fromkeys(found[:3])) or loss.what

    def verb(self, loss: Loss) -> str:
        """``CHECK`` where something stands there for it, else ``NOT TRANSLATED``."""
        names = [name for name in self.before if name.rpartition(".")[2] in loss.fields]
        there = any(self._value(name) not in (None, [], "", 0) for name in names)
        return "CHECK" if there else "NOT TRANSLATED"
