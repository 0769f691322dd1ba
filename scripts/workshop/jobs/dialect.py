"""All that is known of one scheduler in one object: words, variables, commands, where its parts are.

Each package of ``workshop.jobs.dialects`` makes its own (``DIALECTS`` in its ``__init__``); ``dialect`` and
``dialects`` hand them out. Tables that compare schedulers are views of these objects, so that they cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

HOME = "workshop.jobs.dialects"
PACKAGES = ("slurm", "pbs", "lsf")  # folders of dialects/


class Notion(StrEnum):
    """What a variable of a job says, whatever its scheduler calls it."""

    JOB_ID = "job id"
    JOB_NAME = "job name"
    SUBMIT_DIR = "folder from which the job was submitted"
    ARRAY_INDEX = "index in the array"
    ARRAY_ID = "id of the whole array"
    QUEUE = "partition or queue"
    SUBMIT_HOST = "host from which the job was submitted"
    TASKS = "number of tasks"
    NODES = "number of nodes"
    HOSTS = "names of the nodes: a list or a file"
    CPUS_PER_TASK = "CPUs of a task"
    RANK = "number of the process"


class Purpose(StrEnum):
    """What a command of a scheduler is for."""

    SUBMIT = "submit"
    CANCEL = "cancel"
    STATUS = "look at jobs"
    START = "start processes on the job's nodes"
    REQUEUE = "requeue"
    OTHER = "something else"


@dataclass(frozen=True)
class Dialect:
    """What is known of one scheduler.

    Attributes:
        name: as ``--scheduler`` takes it. aliases: other names that it takes.
        title: short name in prose. full_title: with its relatives.
        package: the folder of ``dialects/`` that reads, writes and checks its scripts.
        magic: how a directive line begins. endings: of its files, the course's own first.
        submit: how a script is handed over; FILE stands for it.
        node, task, queue: its words. queue_option: the option that names a queue.
        manual: address of its manual page.
        variables: notion -> names of the variables that say it, the usual one first; or the command that gives it.
        hints: notion or purpose -> what to write where no variable or command has the same meaning.
        prefixes: beginnings of the names of variables that it alone sets.
        hint_of_script: pattern of a text that is meant for it, though it has no directive.
        commands: purpose -> its commands, the usual one first.
        launchers: programs that start processes in its jobs.
        log_options: options that name log files. log_words: what a log's name may have in place of a variable.
        time_limit: pattern of an option and its value, a blank between them, that limit the job's time.
        sizes: the same for options that say how much the job asks for.
        array_form: how an array is asked for.
        log_patterns: notion -> the pattern that says it in a log's name.
        crlf: severity, message and source for a file with DOS line ends.
        comments_on_lines: True where a comment may stand behind a directive.
        starts_at_home: True where a job starts in HOME, not in the folder from which it was submitted.
        target: True where scripts can be written in it.
        relative: which of the schedulers with the same directives a text is for; None where there is only one.
    """

    name: str
    title: str
    full_title: str
    package: str
    magic: str
    endings: tuple[str, ...]
    submit: str
    node: str
    task: str
    queue: str
    queue_option: str
    manual: str
    variables: Mapping[Notion, tuple[str, ...]]
    commands: Mapping[Purpose, tuple[str, ...]]
    prefixes: tuple[str, ...]
    launchers: tuple[str, ...]
    log_options: tuple[str, ...]
    log_words: str
    crlf: tuple[str, str, str]
    time_limit: str | None = None
    sizes: str | None = None
    array_form: str = ""
    log_patterns: Mapping[Notion, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    hints: Mapping[Notion | Purpose, str] = field(default_factory=dict)
    hint_of_script: str | None = None
    comments_on_lines: bool = False
    starts_at_home: bool = False
    target: bool = True
    relative: Callable[[str], str] | None = None

    @property
    def article(self) -> str:
        """``a`` or ``an``, in front of its title."""
        return "an" if self.title.startswith("LSF") else "a"

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    @property
    def all_commands(self) -> frozenset[str]:
        """Every command that belongs to it."""
        return frozenset(command for commands in self.commands.values() for command in commands)

    def variable(self, notion: Notion) -> str | None:
        """The usual variable (or ``$(command)``) for a notion; None where there is none."""
        return next(iter(self.variables.get(notion, ())), None)

    def notion_of(self, variable: str) -> Notion | None:
        """What one of its variables says; None for an unknown one."""
        return next((notion for notion, names in self.variables.items() if variable in names), None)

    def purpose_of(self, command: str) -> Purpose | None:
        """What one of its commands is for; None for an unknown one."""
        return next((purpose for purpose, names in self.commands.items() if command in names), None)

    def advice(self, wanted: Notion | Purpose) -> str | None:
        """What to write for a notion or a purpose in this scheduler's scripts; None = nothing is known."""
        if wanted in self.hints:
            return self.hints[wanted]
        known: Mapping[Any, tuple[str, ...]] = {**self.variables, **self.commands}
        return next(iter(known.get(wanted, ())), None) if wanted != Purpose.OTHER else None

    def part(self, module: str) -> Any:
        """A module of its package (``read``, ``write``), imported when it is asked for."""
        return import_module(f"{HOME}.{self.package}.{module}")

    @property
    def read(self) -> Callable:
        """``read(lines, script)``: fills the script."""
        return self.part("read").read

    @property
    def write(self) -> Callable:
        """``write(request, components)``: directive lines."""
        return self.part("write").write

    @property
    def home(self) -> ModuleType:
        """Its package; the rules for its scripts are in the modules ``rules*.py`` there."""
        return import_module(f"{HOME}.{self.package}")


@cache
def dialects() -> dict[str, Dialect]:
    """All dialects by name, in the order of ``PACKAGES``."""
    found = (one for package in PACKAGES for one in import_module(f"{HOME}.{package}").DIALECTS)
    return {one.name: one for one in found}


def dialect(name: str) -> Dialect:
    """The dialect of a name or an alias.

    Raises:
        ValueError: no such scheduler.
    """
    for one in dialects().values():
        if name in one.names:
            return one
    raise ValueError(f"unknown scheduler '{name}': choose {', '.join(dialects())}")


def spellings() -> list[str]:
    """All names and aliases, for ``--scheduler``."""
    return [name for one in dialects().values() for name in one.names]


def targets() -> tuple[str, ...]:
    """Names of the schedulers in whose words a script can be written."""
    return tuple(one.name for one in dialects().values() if one.target)


def others(name: str) -> list[Dialect]:
    """The dialects of other packages than that of ``name``: what is foreign in its scripts."""
    package = dialect(name).package
    return [one for one in dialects().values() if one.package != package]
