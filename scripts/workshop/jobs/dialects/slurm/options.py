"""The options of sbatch and how its parser finds them: getopt_long with abbreviations, glued and joined letters.

Source: man sbatch (22.05 to 25.05); abbreviations and messages checked against sbatch 22.05.8.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace

NONE, NEEDED, OPTIONAL = "none", "needed", "optional"

_NEEDED = """account acctg-freq array batch bb bbf begin chdir cluster cluster-constraint clusters comment
constraint container container-id context core-spec cores-per-socket cpu-freq cpus-per-gpu cpus-per-task deadline
delay-boot dependency distribution error exclude export export-file extra extra-node-info gid gpu-bind gpu-freq gpus
gpus-per-node gpus-per-socket gpus-per-task gres gres-flags hint input job-name kill-on-invalid-dep licenses mail-type
mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus network nodefile nodelist nodes ntasks
ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket ntasks-per-tres open-mode output partition power
prefer priority profile qos reservation segment signal sockets-per-node switches tasks-per-node thread-spec
resources runtime threads-per-core time time-min tmp tres-bind tres-per-task uid wait-all-nodes wckey wrap"""
_OPTIONAL = "autocomplete exclusive get-user-env mem-update nice no-kill oom-kill-step propagate resv-ports"
_NONE = """contiguous consolidate-segments external help hold ignore-pbs no-requeue overcommit oversubscribe parsable
quiet reboot requeue spread-job spread-segments stepmgr test-only usage use-min-nodes verbose version wait"""

LONG = {
    name: kind for kind, names in ((NEEDED, _NEEDED), (OPTIONAL, _OPTIONAL), (NONE, _NONE)) for name in names.split()
}

# Options that came after 22.05: known, but no partner of an abbreviation in the older versions.
NEWER = {
    "container-id",
    "extra",
    "oom-kill-step",
    "resv-ports",
    "segment",
    "stepmgr",
    "tres-bind",
    "tres-per-task",
    "consolidate-segments",
    "spread-segments",
    "autocomplete",
    "external",
    "mem-update",
    "resources",
    "runtime",
}

# Options whose values add up where they are given several times (arg_set_mail_type() in slurm_opt.c); of every other
# one the last wins.
ADDS_UP = {"mail-type"}

# Options that well-known plugins (SPANK) add to sbatch: pyxis, CSCS, Great Lakes, NERSC's Shifter, EAR, Phoenix.
PLUGIN = re.compile(
    r"--(?:no-)?container-[a-z-]+$|--(?:environment|uenv|view|gpu_cmode|image|volume|module|quotatype|ear(?:-[a-z-]+)?)$",
)

SHORT = {
    "A": "account",
    "a": "array",
    "B": "extra-node-info",
    "b": "begin",
    "C": "constraint",
    "c": "cpus-per-task",
    "D": "chdir",
    "d": "dependency",
    "e": "error",
    "F": "nodefile",
    "G": "gpus",
    "H": "hold",
    "h": "help",
    "i": "input",
    "J": "job-name",
    "k": "no-kill",
    "L": "licenses",
    "M": "clusters",
    "m": "distribution",
    "N": "nodes",
    "n": "ntasks",
    "O": "overcommit",
    "o": "output",
    "p": "partition",
    "Q": "quiet",
    "q": "qos",
    "S": "core-spec",
    "s": "oversubscribe",
    "t": "time",
    "V": "version",
    "v": "verbose",
    "W": "wait",
    "w": "nodelist",
    "x": "exclude",
}

SAME = {"tasks-per-node": "ntasks-per-node", "cluster": "clusters"}


@dataclass(frozen=True)
class Option:
    """One parsed option.

    Attributes:
        name: long name without dashes. value: its value. line: line of the option word.
        written: the word as written. abbreviated, equals_after_short: how it was written.
        at: which of the words that were handed over it is. apart: its value is the word behind it.
    """

    name: str
    value: str | None
    line: int
    written: str
    abbreviated: bool = False
    equals_after_short: bool = False
    value_line: int | None = None
    at: int = 0
    apart: bool = False


class OptionError(Exception):
    """sbatch's parser stops here. The readers go on, to find all the faults at once.

    Attributes:
        kind: ``unknown``, ``ambiguous``, ``no_value``, ``unwanted_value``, ``stray``.
        line, word: where. known: candidates. before: number of options that were read in front of it.
    """

    def __init__(self, kind: str, line: int, word: str, known: list[str] | None = None) -> None:
        super().__init__(f"{kind}: {word}")
        self.kind, self.line, self.word, self.known = kind, line, word, known or []
        self.before = 0


def full_name(prefix: str) -> list[str]:
    """Long names that ``prefix`` may stand for; one = unambiguous."""
    if prefix in LONG:
        return [prefix]
    found = [name for name in LONG if name.startswith(prefix) and name not in NEWER]
    return found or [name for name in LONG if name.startswith(prefix)]


def parse(words: list[tuple[int, str]]) -> tuple[list[Option], list[OptionError]]:
    """Options of ``words`` [(line, word)], and each place at which sbatch would have stopped.

    All directive lines form one list: an option without its value takes the first word of the next line, as in sbatch.
    """
    options: list[Option] = []
    errors: list[OptionError] = []
    rest = deque(words)
    while rest:
        at = len(words) - len(rest)
        line, word = rest.popleft()
        known = len(options)
        try:
            options += _next(line, word, rest)
        except OptionError as error:
            error.before = len(options)
            errors.append(error)
            _skip(error, rest)
            continue
        apart = len(words) - len(rest) == at + 2
        options[known:] = [replace(option, at=at, apart=apart) for option in options[known:]]
    return options, errors


def _next(line: int, word: str, rest: deque[tuple[int, str]]) -> list[Option]:
    """The options of one word; takes its value from ``rest``."""
    if word == "--" and not rest:
        return []
    if word == "--":
        raise OptionError("stray", *rest[0])
    if word.startswith("--"):
        return [_long(line, word, rest)]
    if word.startswith("-") and len(word) > 1:
        return _short(line, word, rest)
    raise OptionError("stray", line, word)


def _skip(error: OptionError, rest: deque[tuple[int, str]]) -> None:
    """Drops what belongs to a refused word: its value, or the rest of a remark, on the same line."""
    remark = error.kind == "stray"
    while rest and rest[0][0] == error.line and not rest[0][1].startswith("-"):
        rest.popleft()
        if not remark:
            return


def option_words(words: list[str]) -> int:
    """How many of the words behind ``sbatch`` are its options: the first other one is the script."""
    rest = deque((0, word) for word in words)
    while rest and rest[0][1].startswith("-") and len(rest[0][1]) > 1 and rest[0][1] != "--":
        line, word = rest.popleft()
        try:
            _next(line, word, rest)
        except OptionError as error:
            _skip(error, rest)
    return len(words) - len(rest)


def _long(line: int, word: str, rest: deque[tuple[int, str]]) -> Option:
    prefix, equals, value = word[2:].partition("=")
    names = full_name(prefix)
    if not names:
        raise OptionError("unknown", line, word)
    if len(names) > 1:
        raise OptionError("ambiguous", line, word, names)
    name, kind = names[0], LONG[names[0]]
    if equals and kind == NONE:
        raise OptionError("unwanted_value", line, word)
    value_line = line
    if kind == NEEDED and not equals:
        if not rest:
            raise OptionError("no_value", line, word)
        value_line, value = rest.popleft()
    given = value if equals or kind == NEEDED else None
    return Option(SAME.get(name, name), given, line, word, abbreviated=prefix != name, value_line=value_line)


def _short(line: int, word: str, rest: deque[tuple[int, str]]) -> list[Option]:
    """One word of single letters: flags may be joined, the first that takes a value takes what is left."""
    found = []
    for index in range(1, len(word)):
        name = SHORT.get(word[index])
        if name is None:
            raise OptionError("unknown", line, word)
        if LONG[name] == NONE:
            found.append(Option(name, None, line, word))
            continue
        value: str | None = word[index + 1 :]
        value_line = line
        if not value and LONG[name] == NEEDED:
            if not rest:
                raise OptionError("no_value", line, word)
            value_line, value = rest.popleft()
        value = value or (None if LONG[name] == OPTIONAL else value)
        glued_equals = bool(word[index + 1 :]) and word[index + 1] == "="
        found.append(Option(name, value, line, word, equals_after_short=glued_equals, value_line=value_line))
        break
    return found


# What a header asks for inside of nodes.
IN_NODES = (
    "--ntasks", "--ntasks-per-node", "--ntasks-per-gpu", "--ntasks-per-socket", "--cpus-per-task", "--cpus-per-gpu",
    "--mem", "--mem-per-cpu", "--mem-per-gpu", "--gres", "--gpus", "--gpus-per-node", "--gpus-per-task",
    "--tres-per-task", "--mincpus",
)  # fmt: skip
