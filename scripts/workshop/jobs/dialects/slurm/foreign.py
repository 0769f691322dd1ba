"""What sbatch makes of #PBS and #BSUB lines: its own small, lossy translation (src/sbatch/xlate.c).

The lines count wherever they stand, also below the first command. They are applied after the #SBATCH lines, so they
win. If there is a #BSUB line, #PBS lines are not looked at. Checked against sbatch 22.05.8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workshop.jobs.dialects.slurm.words import BadLine, Word, split
from workshop.jobs.parts.units import KIB

# Letters that the wrapper knows: those with a value, and those without.
PBS_VALUE, PBS_FLAG = "aAcCeJjklmMNopqrStuvW", "hIVz"
BSUB_VALUE, BSUB_FLAG = "ceJmMnoqW", "x"

PBS_DIRECT = {
    "A": "account",
    "e": "error",
    "N": "job-name",
    "o": "output",
    "q": "partition",
    "J": "array",
    "t": "array",
    "M": "mail-user",
    "p": "nice",
}
BSUB_DIRECT = {
    "e": "error",
    "J": "job-name",
    "m": "nodelist",
    "o": "output",
    "q": "partition",
    "W": "time",
    "c": "chdir",
}


@dataclass
class Wrapped:
    """What the foreign lines do.

    Attributes:
        magic: ``#PBS`` or ``#BSUB``; None where there are no such lines.
        lines: 1-based lines that were read. options: (option of sbatch, value, line) in order.
        dropped: (what, line) that has no effect. refused: why sbatch refuses the file, and the line.
    """

    magic: str | None = None
    lines: list[int] = field(default_factory=list)
    options: list[tuple[str, str | None, int]] = field(default_factory=list)
    dropped: list[tuple[str, int]] = field(default_factory=list)
    refused: tuple[str, int] | None = None


def read_foreign(lines: list[str]) -> Wrapped:
    """The effect of the #BSUB lines of ``lines``, or of the #PBS lines where there is no #BSUB line."""
    for magic, reader in (("#BSUB", _bsub_option), ("#PBS", _pbs_option)):
        numbers = [number for number, line in enumerate(lines, 1) if line.startswith(magic)]
        if numbers:
            found = Wrapped(magic, numbers)
            for number in numbers:
                _read_line(lines[number - 1][len(magic) :].rstrip("\r"), number, found, reader)
            return found
    return Wrapped()


def _read_line(text: str, number: int, found: Wrapped, reader) -> None:
    try:
        words = split(text, number)
    except BadLine as bad:
        found.refused = found.refused or (f"it cannot read '{bad.raw}'", number)
        words = bad.words
    rest = list(words)
    while rest:
        word = rest.pop(0).text
        if not word.startswith("-") or len(word) < 2:
            found.refused = found.refused or (f"Invalid argument: {word}", number)
            continue
        reader(word, rest, number, found)


def _value(word: str, rest: list[Word]) -> str:
    return word[2:] or (rest.pop(0).text if rest else "")


def _pbs_option(word: str, rest: list[Word], number: int, found: Wrapped) -> None:
    letter = word[1]
    if letter not in PBS_VALUE + PBS_FLAG:
        found.refused = found.refused or (f"invalid option -- '{letter}'", number)
        return
    value = _value(word, rest) if letter in PBS_VALUE else None
    if letter in PBS_DIRECT:
        found.options.append((PBS_DIRECT[letter], value, number))
    elif letter == "l":
        _pbs_resources(value or "", number, found)
    elif letter == "m":
        names = {"a": "FAIL", "b": "BEGIN", "e": "END", "n": "NONE"}
        kinds = [names[char] for char in value or "" if char in names]
        found.options.append(("mail-type", ",".join(kinds), number))
    elif letter == "W" and (value or "").startswith("depend="):
        found.options.append(("dependency", (value or "").removeprefix("depend="), number))
    elif letter == "r":
        found.options.append(("requeue", "no" if value == "n" else None, number))
    elif letter == "h":
        found.options.append(("hold", None, number))
    else:
        found.dropped.append((f"-{letter} {value or ''}".strip(), number))


def _pbs_resources(text: str, number: int, found: Wrapped) -> None:
    """One -l list, walked from left to right as xlate.c does: it knows a few names and steps over the others.

    A value of select, ncpus and mpiprocs ends at the next colon, even if a comma comes first; others end at a comma.
    """
    seen: dict[str, str] = {}
    for match in re.finditer(r"(?:^|[,:])(\w+)=", text):
        name = match[1].lower()
        end = r"[^:]*" if name in ("select", "ncpus", "mpiprocs") else r"[^,]*" if name == "mem" else r"[^,:]*"
        seen[name] = re.match(end, text[match.end() :])[0]
    add = found.options.append
    if "select" in seen:
        add(("nodes", seen["select"], number))
    elif "nodes" in seen:
        _pbs_nodes(re.search(r"nodes=([^,]*)", text)[1], number, found)
    if "mpiprocs" in seen:
        add(("ntasks-per-node", seen["mpiprocs"], number))
    if "ncpus" in seen:
        add(("mincpus", seen["ncpus"], number))
    if {"select", "ncpus", "mpiprocs"} <= set(seen) and seen["ncpus"].isdigit() and seen["mpiprocs"].isdigit():
        threads = int(seen["ncpus"]) // max(int(seen["mpiprocs"]), 1)
        if threads > 1:
            add(("cpus-per-task", str(threads), number))
    if "mem" in seen:
        add(("mem", seen["mem"], number))
    time = re.search(r"(?:walltime|cput)=([^,]*)", text)
    if time:
        add(("time", time[1], number))
    if "naccelerators" in seen:
        add(("gres", f"gpu:{seen['naccelerators']}", number))
    known = {"select", "nodes", "mpiprocs", "ncpus", "mem", "walltime", "naccelerators", "ppn", "gpus", "cput"}
    found.dropped += [(f"{name}={value}", number) for name, value in seen.items() if name not in known]


def _pbs_nodes(text: str, number: int, found: Wrapped) -> None:
    """``nodes=2:ppn=4:gpus=1``: node count, tasks a node, GPUs a node; a name instead of a count is a node list."""
    head, *rest = text.split(":")
    add = found.options.append
    ppn = next((part[4:] for part in rest if part.startswith("ppn=")), None)
    add(("nodes", head, number) if head.isdigit() else ("nodelist", head.replace("+", ","), number))
    if ppn and ppn.isdigit() and head.isdigit():
        add(("ntasks", str(int(head) * int(ppn)), number))
    gpus = next((part[5:] for part in rest if part.startswith("gpus=")), None)
    if gpus:
        add(("gres", f"gpu:{gpus}", number))


def _bsub_option(word: str, rest: list[Word], number: int, found: Wrapped) -> None:
    if word == "-cwd":
        found.options.append(("chdir", rest.pop(0).text if rest else "", number))
        return
    letter = word[1]
    if letter not in BSUB_VALUE + BSUB_FLAG:
        found.refused = found.refused or (f"invalid option -- '{letter}'", number)
        return
    value = _value(word, rest) if letter in BSUB_VALUE else None
    if letter in BSUB_DIRECT:
        found.options.append((BSUB_DIRECT[letter], value, number))
    elif letter == "x":
        found.options.append(("exclusive", None, number))
    elif letter == "n":
        found.options.append(("ntasks", (value or "").split(",")[-1], number))
    elif letter == "M":
        text = value or ""
        found.options.append(("mem-per-cpu", f"{-(-int(text) // KIB)}M" if text.isdigit() else text, number))
