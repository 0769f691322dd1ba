"""PBS resource requests: select and place, the older job-wide form, and nodes=…:ppn=… (pbs_resources(7B))."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from workshop.jobs.model import Memory
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.units import meant_memory, pbs_size

COUNTS = ("ncpus", "ngpus", "mpiprocs", "ompthreads", "naccelerators", "nmics")
SIZES = ("mem", "vmem", "pmem", "pvmem", "file", "jobfs", "accelerator_memory")
PLACES = {"free", "pack", "scatter", "vscatter"}
SHARING = {"excl", "shared", "exclhost"}
CHUNK_ONLY_IN_JOB = {"walltime", "cput", "pcput", "place", "min_walltime", "max_walltime"}
CHUNK_LEVEL = {"ncpus", "mem", "ngpus", "vmem", "mpiprocs", "ompthreads", "host", "arch"}
# What says how much of a node a chunk takes, or that the site's GPUs have another name.
OWN = CHUNK_LEVEL - {"host", "arch", "mpiprocs", "ompthreads"} | {"naccelerators", "nmics", "vntype", "vnode", "nchunk"}

# Resources of sites that give whole nodes, and the GPUs in them: ALCF's filesystems=.
WITH_WHOLE_NODES = ("filesystems",)

# Resources of a job whose names are often misspelt.
SPELT = ("ncpus", "ngpus", "mem", "mpiprocs", "ompthreads", "walltime")
# Torque's words, and what PBS Pro calls it.
TORQUE_WORDS = {
    "ppn": "ncpus=N:mpiprocs=N",
    "gpus": "ngpus=N",
    "nodes": "select=N:ncpus=…",
    "procs": "select=N:ncpus=1",
}
# Names that PBS defines itself, or that sites have, although they lie near.
KNOWN_NAMES = {*SPELT, *SIZES, *COUNTS, "hmem", "gmem", "nmem", "smem", "tmem", "wmem"}


def misspelt(name: str, in_chunk: bool) -> str | None:
    """What was probably meant by a resource's name; None for a name that may be the site's own."""
    plain = name.lower()
    if in_chunk and plain in TORQUE_WORDS:
        return TORQUE_WORDS[plain]
    if plain in KNOWN_NAMES or plain in TORQUE_WORDS:
        return None
    return next((known for known in SPELT if is_near(plain, known) and plain[:1] == known[:1]), None)


def is_near(one: str, other: str) -> bool:
    """True for two words that differ in one letter: too many, missing, another, or two exchanged."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, wanted = one[start:], other[start:]
    return (
        rest[1:] == wanted[1:]
        or rest == wanted[1:]
        or rest[1:] == wanted
        or (rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:])
    )


@dataclass
class Chunk:
    """``count`` times the same set of resources on one host each; amounts in bytes."""

    count: int = 1
    resources: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        return self.resources.get(name, default)

    @property
    def ncpus(self) -> int:
        """CPUs of one chunk; PBS gives one where none are named."""
        return self.get("ncpus", 1)

    @property
    def is_whole_node(self) -> bool:
        """True for a chunk that names neither CPUs nor GPUs, as at sites that give whole nodes (``select=2``,
        ``2:system=polaris``, ``1:mpiprocs=4``): its CPUs and GPUs come with the node, as the site has set it."""
        return not set(self.resources) & OWN

    @property
    def mpiprocs(self) -> int:
        """Lines of one chunk in PBS_NODEFILE: 1 unless asked for."""
        return self.get("mpiprocs", 1)


def split_list(text: str) -> list[tuple[str, str | None]]:
    """``a=1,b="x,y",wd`` as [(name, value or None)]; a comma in quotes does not separate."""
    items, current, quote = [], "", ""
    for char in text + ",":
        if quote:
            quote = "" if char == quote else quote
            current += char
        elif char in "\"'":
            quote = char
            current += char
        elif char == ",":
            if current.strip():
                name, equals, value = current.partition("=")
                items.append((name.strip(), value.strip().strip("\"'") if equals else None))
            current = ""
        else:
            current += char
    return items


def amount(name: str, text: str) -> int | str:
    """The value of a chunk's resource: whole number, bytes, or text.

    Raises:
        BadValue: a number or size that does not parse.
    """
    if name in COUNTS:
        if not re.fullmatch(r"\d+", text, re.ASCII):
            raise BadValue("bad_resource", f"'{name}={text}' is not a whole number: PBS refuses it.", f"{name}=4")
        return int(text)
    if name in SIZES:
        size = pbs_size(text)
        if size is None:
            raise BadValue(
                "bad_mem_unit",
                f"PBS refuses the size '{name}={text}'.",
                f"{name}= with a whole number and kb, mb, gb or tb",
                f"{name}={meant}" if (meant := pbs_amount(text)) else None,
                f"{name}={text}",
            )
        return size
    return text


def pbs_amount(text: str) -> str | None:
    """``16gb`` for ``16GiB``; None where the unit is not certain."""
    meant = meant_memory(text)
    return meant.lower() + "b" if meant else None


def parse_select(text: str) -> tuple[list[Chunk], list[BadValue]]:
    """``2:ncpus=8:ngpus=4+1:ncpus=1`` as chunks, and what PBS refuses inside them.

    Raises:
        BadValue: what leaves no chunk to speak of.
    """
    chunks: list[Chunk] = []
    problems: list[BadValue] = []
    for part in text.split("+"):
        # The colons of a time belong to it: walltime=02:00:00.
        pieces = re.split(r":(?!\d+(?::|$))", part)
        count = 1
        if re.fullmatch(r"-?\d+", pieces[0], re.ASCII):
            count = int(pieces.pop(0))
        if count < 1 or (not pieces and not part):
            raise BadValue("bad_resource", f"'select={text}': a chunk count must be 1 or more.", "select=2:ncpus=8")
        chunks.append(Chunk(count, _chunk_resources(pieces, text, problems)))
    return chunks, problems


def _chunk_resources(pieces: list[str], text: str, problems: list[BadValue]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for index, piece in enumerate(pieces):
        name, equals, value = piece.partition("=")
        if not equals or not name:
            problems.append(
                BadValue(
                    "bad_resource",
                    f"'{piece}' in 'select={text}' is not of the form resource=value.",
                    "select=2:ncpus=8:mem=16gb",
                )
            )
        elif name in CHUNK_ONLY_IN_JOB:
            problems.append(
                BadValue(
                    "walltime_inside_select",
                    f"'{name}' belongs to the job, not to a chunk: PBS refuses it inside select.",
                    *_outside(pieces, index, text),
                )
            )
        else:
            try:
                found[name] = amount(name, value)
            except BadValue as bad:
                problems.append(bad)
    return found


def _outside(pieces: list[str], index: int, text: str) -> tuple[str, str, str]:
    """(advice, right items, written item) for a resource of the job that stands inside ``select=``."""
    end = index + 1
    while end < len(pieces) and pieces[end].isdigit():  # walltime=02:00:00 has colons of its own
        end += 1
    moved = ":".join(pieces[index:end])
    kept = text.replace(f":{moved}", "", 1)
    return f"-l select={kept} -l {moved}", f"select={kept} -l {moved}", f"select={text}"


@dataclass
class NodeSpec:
    """One part of ``nodes=2:ppn=4:gpus=1:bigmem``.

    Attributes:
        count: nodes; 1 for a host name. host: that name. ppn, gpus: per node. properties: node features.
        mem: what was written as ``mem=`` inside, which is a fault.
    """

    count: int = 1
    host: str | None = None
    ppn: int = 1
    gpus: int | None = None
    properties: list[str] = field(default_factory=list)
    mem: str | None = None


def parse_nodes(text: str) -> list[NodeSpec]:
    """Torque's and older PBS's ``nodes=``.

    Raises:
        BadValue: a count that is no number.
    """
    specs = []
    for part in text.split("#")[0].split("+"):
        head, *rest = part.split(":")
        spec = NodeSpec(int(head)) if head.isdigit() else NodeSpec(1, head)
        for piece in rest:
            name, _, value = piece.partition("=")
            if name in ("ppn", "ncpus", "gpus"):
                if not value.isdigit():
                    raise BadValue("bad_resource", f"'{piece}' in 'nodes={text}' has no whole number.", f"{name}=4")
                setattr(spec, "gpus" if name == "gpus" else "ppn", int(value))
            elif name in ("mem", "pmem", "vmem"):
                spec.mem = piece
            else:
                spec.properties.append(piece)
        specs.append(spec)
    return specs


def parse_place(text: str) -> str:
    """``scatter:excl`` and the like.

    Raises:
        BadValue: a word that PBS does not know.
    """
    for word in text.split(":"):
        if word not in PLACES | SHARING and not word.startswith("group="):
            raise BadValue(
                "bad_resource",
                f"'place={text}': PBS knows free, pack, scatter, vscatter, excl, exclhost, shared and group=….",
                "place=scatter",
            )
    return text


def same(chunks: list[Chunk], name: str) -> Any:
    """The value of ``name`` where all chunks agree, else None."""
    values = {chunk.get(name) for chunk in chunks}
    return values.pop() if len(values) == 1 else None


def total(chunks: list[Chunk], name: str, default: int = 0) -> int:
    """Sum of ``name`` over all chunks times their counts."""
    return sum(chunk.count * (chunk.get(name, default) or 0) for chunk in chunks)


def chunk_memory(chunks: list[Chunk]) -> Memory | None:
    """Memory of the chunks: per chunk where all are alike, else the sum; None where no chunk names any."""
    if not any(chunk.get("mem") is not None for chunk in chunks):
        return None
    each = same(chunks, "mem")
    return Memory(each, "per_node") if each is not None else Memory(total(chunks, "mem"), "total")
