"""The words of a line split into launchers with their own options, and the program."""

from __future__ import annotations

import re

from workshop.jobs.launch.model import Layer, Setting
from workshop.jobs.launch.tables import MODULES, ONLY_BEHIND_EQUALS, Launcher, Option, candidates
from workshop.jobs.parts.values import Atom, Value, Word, constant, place

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=")
PROGRAM = re.compile(r"(?:\.{0,2}/.*|.*\.(?:py|sh|bash|R|jl|exe|x|out|pl))\Z")
TIME_LIMIT = re.compile(r"\d+(?:\.\d+)?[smhd]?\Z")


def likely(word: Word) -> str | None:
    """The text of a word; of a variable that is not set the default that stands in it."""
    text = word.text
    if text is None and len(word.atoms) == 1 and word.atoms[0].kind in ("variable", "argument") and word.atoms[0].parts:
        return constant(word.atoms[0].parts[0])
    return text


def program_name(word: Word) -> str:
    """The name of a program without its folder; also of ``$VENV/bin/python``."""
    text = likely(word)
    if text is None:
        last = word.atoms[-1] if word.atoms else None
        text = last.text if last is not None and last.is_text and "/" in last.text else ""
    return text.rpartition("/")[2]


def is_program(word: Word) -> bool:
    """True for a word that looks like a program rather than like the value of an option."""
    text = likely(word)
    if text is None:
        return bool(candidates(program_name(word)))
    return bool(candidates(text.rpartition("/")[2])) or bool(PROGRAM.match(text))


def split(words: tuple[Word, ...], by: str) -> tuple[Layer, tuple[Word, ...]] | None:
    """The launcher that a line begins with, and the words behind its options; None where it is none."""
    if not words:
        return None
    found = []
    for launcher in candidates(program_name(words[0])):
        reader = _Reader(launcher, words, by)
        if reader.read():
            found.append(reader)
    if not found:
        return None
    best = min(found, key=lambda reader: len(reader.unknown) + reader.missing)
    same = [reader for reader in found if len(reader.unknown) + reader.missing == len(best.unknown) + best.missing]
    return best.layer(sure=len(same) == 1), best.rest()


class _Reader:
    """Reads the options of one launcher."""

    def __init__(self, launcher: Launcher, words: tuple[Word, ...], by: str) -> None:
        self.launcher, self.words, self.by = launcher, words, by
        self.index = 1
        self.settings: list[Setting] = []
        self.unknown: list[Word] = []
        self.extra: list[Word] = []
        self.open = False
        self.missing = 0

    def layer(self, sure: bool) -> Layer:
        return Layer(
            self.launcher,
            self.words[0],
            tuple(self.settings),
            self.by,
            self.open,
            tuple(self.unknown),
            tuple(self.extra),
            sure,
        )

    def rest(self) -> tuple[Word, ...]:
        return self.words[self.index :]

    def read(self) -> bool:
        """True where the words are a launch: not ``accelerate config``, not ``apptainer pull``."""
        if self.launcher.subcommands and not self._subcommand():
            return False
        while self.index < len(self.words) and self._option(self.words[self.index]):
            pass
        self._skips()
        return True

    def _subcommand(self) -> bool:
        index = 1
        while index < len(self.words) and self.words[index].prefix.startswith("-"):
            index += 1
        if index >= len(self.words) or self.words[index].text not in self.launcher.subcommands:
            return False
        self.index = index + 1
        return True

    def _skips(self) -> None:
        count = self.launcher.skips
        if self._names_its_host():
            first = self.rest()[:1]
            count = 1 if first and not is_program(first[0]) and len(self.rest()) > 1 else 0
        if self.launcher.name == "timeout" and not TIME_LIMIT.match((self.rest() or (Word(()),))[0].text or "1"):
            count = 0
        self.extra = list(self.rest()[:count])
        self.index += len(self.extra)

    def _names_its_host(self) -> bool:
        """True for ``blaunch HOST program``, without an option that names hosts."""
        return self.launcher.name == "blaunch" and not any(one.field in ("hosts", "hostfile") for one in self.settings)

    def _option(self, word: Word) -> bool:
        """Reads the word where it is an option; False where the launcher's words end."""
        prefix = word.prefix
        if word.text == "--":
            self.index += 1
            return False
        if self.launcher.name == "env" and ASSIGNMENT.match(prefix):
            self._add(Option("assignment", ()), prefix.partition("=")[0], word.atoms, [word])
            return self._next()
        if not prefix and word.many:
            return self._several(word)
        if len(prefix) < 2 or prefix[0] not in "-+" or (prefix[0] == "+" and self.launcher.kind != "shell"):
            return False
        return self._long(word) if self._is_whole(prefix) and not self._value_follows(word) else self._glued(word)

    def _value_follows(self, word: Word) -> bool:
        """True for ``-n$N``: one letter whose value, which is not known, stands in the same word."""
        option = self.launcher.find(word.prefix) if self.launcher.bundles and len(word.prefix) == 2 else None
        return option is not None and option.takes > 0 and bool(word.cut(2))

    def _next(self, count: int = 1) -> bool:
        self.index += count
        return True

    def _several(self, word: Word) -> bool:
        """``$OPTS``, of unknown content: options where more options or a program follow, else the program itself."""
        later = self.words[self.index + 1 :]
        if is_program(word) or not all(atom.kind != "text" for atom in word.atoms):
            return False
        program = next((number for number, other in enumerate(later[:60]) if is_program(other)), None)
        skips = 1 if self._names_its_host() else self.launcher.skips
        if skips and (program is None or program < skips):
            return False  # the host of ssh or blaunch, the image of a container
        if any(is_program(other) or (other.prefix.startswith("-") and self._known(other)) for other in later[:60]):
            self.open = True
            return self._next()
        return False

    def _known(self, word: Word) -> bool:
        return self.launcher.find(word.prefix.partition("=")[0]) is not None

    def _is_whole(self, prefix: str) -> bool:
        spelling = prefix.partition("=")[0]
        return prefix.startswith("--") or self.launcher.find(spelling) is not None or not self.launcher_bundles(prefix)

    def launcher_bundles(self, prefix: str) -> bool:
        return (self.launcher.bundles and self.launcher.find(prefix[:2]) is not None) or self.launcher.kind == "shell"

    def _long(self, word: Word) -> bool:
        spelling, equals, _ = word.prefix.partition("=")
        option = self.launcher.find(spelling)
        if option is None:
            return self._stranger(word, bool(equals))
        if equals:
            value = word.cut(len(spelling) + 1)
            self._add(option, spelling, value, [word], *place(value))
            return self._next()
        if option.takes == 0 or spelling in ONLY_BEHIND_EQUALS.get(self.launcher.name, ()):
            self._add(option, spelling, None, [word])
            return self._next()
        return self._with_values(option, spelling, word)

    def _with_values(self, option: Option, spelling: str, word: Word) -> bool:
        takes = self._takes(option)
        values = self.words[self.index + 1 : self.index + 1 + takes]
        if len(values) < takes:
            self.missing += 1
            self._next(1 + len(values))
            return False
        value: Value = values[-1].atoms if takes == 1 else tuple(a for v in values for a in v.atoms)
        if takes == 2 and option.field == "environment":
            value = (*values[0].atoms, Atom("text", "=", quoted=True), *values[1].atoms)
        self._add(option, spelling, value, [word, *values], values[-1].start, values[-1].end)
        self._next(1 + takes)
        return not (self.launcher.kind in ("python", "shell") and option.field in ("module", "command"))

    def _takes(self, option: Option) -> int:
        """The words of a value: Hydra's ``-genv NAME VALUE`` may be written ``-genv NAME=VALUE``."""
        following = self.words[self.index + 1 : self.index + 2]
        joined = option.field == "environment" and following and ASSIGNMENT.match(following[0].prefix)
        return 1 if joined else option.takes

    def _glued(self, word: Word) -> bool:
        """One-letter options in one word: ``-n4``, ``-lc``, ``-um``; the last may have its value in the next word."""
        prefix = word.prefix
        for position in range(1, len(prefix)):
            spelling = prefix[0] + prefix[position]
            option = self.launcher.find(spelling)
            if option is None:
                if self.launcher.kind != "shell":
                    self.unknown.append(word)
                    return self._next()
                option = Option("other", (spelling,), 0)
            if option.takes:
                rest = word.cut(position + 1)
                if rest and self.launcher.kind != "shell":
                    self._add(option, spelling, rest, [word], *place(rest))
                    self._next()
                    return not (self.launcher.kind == "python" and option.field in ("module", "command"))
                return self._letter_with_value(option, spelling, word, prefix[position + 1 :])
            self._add(option, spelling, None, [word])
        return self._next()

    def _letter_with_value(self, option: Option, spelling: str, word: Word, others: str) -> bool:
        for letter in others:  # bash -ce: the value of -c follows all letters
            self._add(Option("other", ("-" + letter,), 0), "-" + letter, None, [word])
        return self._with_values(option, spelling, word)

    def _stranger(self, word: Word, equals: bool) -> bool:
        """An option that no table knows: it has a value where a program still follows behind the next word."""
        self.unknown.append(word)
        self.open = True
        following = self.words[self.index + 1 : self.index + 3]
        if equals or len(following) < 2 or is_program(following[0]) or following[0].prefix.startswith("-"):
            return self._next()
        return self._next(2)

    def _add(
        self,
        option: Option,
        spelling: str,
        value: Value | None,
        words: list[Word],
        start: int | None = None,
        end: int | None = None,
    ) -> None:
        self.settings.append(Setting(option.field, spelling, value, tuple(words), start, end))


def module_of(layer: Layer, rest: tuple[Word, ...]) -> tuple[Layer, tuple[Word, ...]] | None:
    """``python -m torch.distributed.run …`` is torchrun: its layer and the words behind its options."""
    module = layer.get("module")
    found = MODULES.get(module.text or "") if module else None
    if found is None:
        return None
    reader = _Reader(found[0], (module.words[-1], *rest), layer.by)
    return (reader.layer(True), reader.rest()) if reader.read() else None
