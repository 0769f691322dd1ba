"""The launches of a script: each line unwrapped, from the outermost launcher to the program."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace

from workshop.jobs.launch.model import Launch, Layer
from workshop.jobs.launch.split import ASSIGNMENT, module_of, program_name, split
from workshop.jobs.launch.tables import candidates
from workshop.jobs.parts import grammar
from workshop.jobs.parts.reading import Command, Environment, Marks, Reading, Variable
from workshop.jobs.parts.script_words import read_script, read_text
from workshop.jobs.parts.values import TASK, Atom, Value, Word, constant, shown, through

DEEPEST = 10
# A program of the user's that the batch shell starts without any launcher.
OWN_SCRIPT = re.compile(r"(?:\./.*|.*\.(?:py|sh|bash))\Z")
MOST_LAUNCHES = 2_000
# Words of the shell itself, and helpers that start nothing.
BUILTINS = {
    ":", ".", "[", "[[", "alias", "bg", "break", "cd", "continue", "declare", "dirs", "disown", "echo", "eval", "exit",
    "export", "false", "fg", "getopts", "hash", "jobs", "let", "local", "mapfile", "ml", "module", "popd", "printf",
    "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "test", "times",
    "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
}  # fmt: skip


def read_launches(text: str) -> tuple[Reading, list[Launch]]:
    """A script's reading and its launches, in the order in which they are started."""
    reading = read_script(text)
    return reading, launches(reading)


def launches(reading: Reading) -> list[Launch]:
    """What the commands of a script start. Never raises."""
    found: list[Launch] = []
    for command in reading.commands:
        if len(found) > MOST_LAUNCHES:
            break
        with suppress(RecursionError):
            found += _Unwrapping(reading, command).run()
    return found


def launches_of_text(reading: Reading, value: Value, command: Command) -> tuple[Reading, list[Launch]]:
    """The job that ``command`` submits: the text behind ``qsub <<EOF`` or ``sbatch --wrap``, and its launches.

    Lines and places are those of the file in which the text stands. Read on its own: variables of the submitting
    shell that the text names are unknown.
    """
    inner = read_text(reading, value, Environment(), Marks(), command.line)
    return inner, launches(inner)


def launches_of_words(words: tuple[Word, ...], command: Command, reading: Reading) -> list[Launch]:
    """The launches of words that stand in another command: ``sbatch --wrap``, a trap."""
    return _Unwrapping(reading, replace(command, words=words, assigns=(), stdin=None, calls="")).run()


@dataclass(frozen=True)
class _Place:
    """How far the unwrapping of a command has come: launchers taken off, circumstances, words seen on the way."""

    command: Command
    marks: Marks
    environment: Environment
    layers: tuple[Layer, ...] = ()
    seen: tuple[Word, ...] = ()
    depth: int = 0


class _Unwrapping:
    """One command of the script, and all that it starts."""

    def __init__(self, reading: Reading, command: Command) -> None:
        self.reading, self.command = reading, command
        self.found: list[Launch] = []

    def run(self) -> list[Launch]:
        if _starts(self.command):
            self._open(self.command.words, _Place(self.command, self.command.marks, self.command.environment))
        return self.found

    def _open(self, words: tuple[Word, ...], place: _Place) -> None:
        """Takes one launcher off ``words`` and goes on with the rest."""
        taken = split(words, place.marks.by) if place.depth < DEEPEST else None
        if taken is None:
            place = replace(place, seen=(*place.seen, *words))
            if not self._own_file(words, place):
                self._end(words, place)
            return
        layer, rest = taken
        if layer.kind == "python" and (agent := module_of(layer, rest)) is not None:
            # python -m torch.distributed.run: the agent takes python's place.
            layer, rest = agent
        place = replace(
            place,
            layers=(*place.layers, layer),
            environment=_started(layer, place.environment),
            marks=replace(place.marks, by=TASK) if layer.kind in ("spread", "agent") else place.marks,
            seen=(*place.seen, *words[: len(words) - len(rest)]),
            depth=place.depth + 1,
        )
        self._behind(layer, rest, place)

    def _behind(self, layer: Layer, rest: tuple[Word, ...], place: _Place) -> None:
        """What stands behind the options of ``layer``."""
        here = replace(place, seen=(*place.seen, *rest))
        if layer.kind == "shell":
            self._shell(layer, rest, here)
        elif layer.name in ("ssh", "pdsh", "clush", "dsh") and rest:
            self._text(_joined(rest), here)
        elif layer.kind == "python" and rest and not layer.has("module", "command") and _is_agent(rest[0]):
            self._open(rest, place)  # python $(which torchrun)
        elif layer.kind == "python" or (layer.kind == "agent" and not layer.has("no_python")):
            module = layer.get("module")
            self._end((module.words[-1], *rest) if module and layer.kind == "python" else rest, here)
        elif not rest:
            self._end((), here)
        elif layer.name in ("parallel", "xargs"):
            self._text(_joined(_before(rest, PARALLEL_INPUT)), replace(here, marks=replace(here.marks, repeated=True)))
        elif layer.kind == "spread" and any(word.text == ":" for word in rest):
            # Several programs in one launch: nothing is said about their numbers.
            both = (*place.layers[:-1], replace(layer, open=True))
            self._open(_before(rest, {":"}), replace(place, layers=both))
        else:
            self._open(rest, place)

    def _end(self, words: tuple[Word, ...], place: _Place) -> None:
        if not place.layers and not (words and OWN_SCRIPT.match(words[0].text or "")):
            return
        line = next((word.line for word in words if word.start is not None), 0) or place.command.line
        self.found.append(
            Launch(place.layers, tuple(words), self.command, line, place.marks, place.environment, place.seen)
        )

    def _shell(self, layer: Layer, rest: tuple[Word, ...], place: _Place) -> None:
        """``bash -c TEXT``, ``bash FILE``, ``bash <<EOF``."""
        text = layer.get("command")
        if text is not None and text.value is not None:
            place.environment.arguments = tuple(word.atoms for word in rest[1:])
            self._text(text.value, place)
        elif not rest or any(setting.spelling == "-s" for setting in layer.settings):
            if place.command.stdin is not None:
                self._text(place.command.stdin, place)
            else:
                self._end((), place)
        elif not self._own_file(rest, place):
            self._end(rest, place)

    def _own_file(self, words: tuple[Word, ...], place: _Place) -> bool:
        """A file that the script itself writes above; False where it is none."""
        name = shown(words[0].atoms) if words else ""
        files = place.environment.files
        content = files.get(name) or files.get(name.removeprefix("./"))
        if not name or content is None or place.depth >= DEEPEST or not grammar.is_shell(shown(content)):
            return False
        environment = place.environment.child()
        many = any(word.many for word in words[1:])
        environment.arguments = None if many else tuple(word.atoms for word in words[1:])
        self._text(through(content, "file"), replace(place, environment=environment))
        return True

    def _text(self, value: Value, place: _Place) -> None:
        """A text that a shell reads: each of its commands is a launch of its own."""
        before = len(self.found)
        marks = replace(place.marks, background=False)
        environment = place.environment.copy()
        inner_text = read_text(self.reading, value, environment, marks, place.command.line, place.depth)
        for one in inner_text.commands:
            helper = one.marks.substituted > marks.substituted and not candidates(one.name)
            if _starts(one) and not helper:
                both = _both(place.marks, one.marks)
                inner = replace(place, command=one, marks=both, environment=one.environment, depth=place.depth + 1)
                self._open(one.words, inner)
        if len(self.found) == before:
            self._end((), place)


def _is_agent(word: Word) -> bool:
    return any(launcher.kind == "agent" for launcher in candidates(program_name(word)))


def _starts(command: Command) -> bool:
    """True for a command that starts a program: not a word of the shell, not a function of the script."""
    return bool(command.words) and not command.calls and command.name not in BUILTINS


def _both(outer: Marks, inner: Marks) -> Marks:
    return replace(
        inner,
        background=outer.background or inner.background,
        conditional=outer.conditional or inner.conditional,
        condition=(*outer.condition, *(asked for asked in inner.condition if asked not in outer.condition)),
        repeated=outer.repeated or inner.repeated,
        uncalled=outer.uncalled or inner.uncalled,
        handler=outer.handler or inner.handler,
        unsure=outer.unsure or inner.unsure,
    )


def _joined(words: tuple[Word, ...]) -> Value:
    found: list[Atom] = []
    for index, word in enumerate(words):
        found += [Atom("text", " ")] if index else []
        found += word.atoms
    return tuple(found)


PARALLEL_INPUT = {":::", "::::", ":::+"}


def _before(words: tuple[Word, ...], ends: set[str]) -> tuple[Word, ...]:
    """The words up to one of ``ends``."""
    for index, word in enumerate(words):
        if word.text in ends and index:
            return words[:index]
    return words


def _started(layer: Layer, environment: Environment) -> Environment:
    """The variables that what ``layer`` starts sees."""
    inner = environment.child(layer.launcher.keeps_environment)
    for setting in layer.settings:
        if setting.field in ("assignment", "environment", "export") and setting.value is not None:
            _export(inner, setting.value)
    return inner


def _export(environment: Environment, value: Value) -> None:
    """Sets what ``NAME=value`` or ``ALL,NAME=value`` sets."""
    text = constant(value)
    if text is not None:
        for part in text.split(","):
            name, equals, rest = part.partition("=")
            if equals and re.fullmatch(r"[A-Za-z_]\w*", name):
                environment.variables[name] = Variable((Atom("text", rest),), None, True)
        return
    word = Word(value)
    match = ASSIGNMENT.match(word.prefix)
    if match:
        environment.variables[match[1]] = Variable(word.cut(match.end()), None, True)
