"""LSF's resource strings: -R sections, -gpu, -n, job arrays in -J (IBM Spectrum LSF 10.1, bsub)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workshop.jobs.model import Array
from workshop.jobs.parts import indices
from workshop.jobs.parts.problem import BadValue

SECTION = re.compile(r"\b(select|order|rusage|span|same|cu|affinity|stage)\s*\[")
GPU_KEYS = {
    "num",
    "mode",
    "mps",
    "j_exclusive",
    "aff",
    "block",
    "gpack",
    "glink",
    "gvendor",
    "gmodel",
    "gtile",
    "gmem",
    "mig",
    "nvlink",
}
GPU_MODES = {"shared", "exclusive_process"}
LEGACY_GPU = ("ngpus_physical", "ngpus_excl_p", "ngpus_excl_t", "ngpus_shared", "ngpus")


ROUND = re.compile(r"\b(select|order|rusage|span|same|cu|affinity)\s*\(([^()\[\]]*)\)")


def mended(text: str) -> tuple[str, BadValue | None]:
    """A resource string with its brackets put right, and what bsub says of them as they are."""
    fixed = ROUND.sub(r"\1[\2]", text)
    if fixed != text:
        message = f"'{text}': the sections of a resource string have square brackets: Bad resource requirement syntax."
        return fixed, BadValue("bad_resource_string", message, f'-R "{fixed}"', fixed, text)
    missing = text.count("[") - text.count("]")
    if missing > 0 and SECTION.search(text):
        fixed = text.rstrip() + "]" * missing
        message = f"'{text}' has an open bracket: Bad resource requirement syntax."
        # Only the last section is surely the open one: "rusage[mem=4GB span[hosts=1]" lacks its bracket in the middle.
        certain = missing == 1 and text.rfind("]") < text.rfind("[")
        return fixed, BadValue("bad_resource_string", message, f'-R "{fixed}"', fixed if certain else None, text)
    return text, None


def sections(text: str) -> list[tuple[str, str]]:
    """``select[…] rusage[…]`` as [(name, inside)]; text without a section name is a selection.

    Raises:
        BadValue: a bracket that is not closed.
    """
    found: list[tuple[str, str]] = []
    position = 0
    while match := SECTION.search(text, position):
        free = text[position : match.start()].strip()
        if free.strip("{}*+0123456789 |&()"):
            found.append(("select", free))
        depth, index = 1, match.end()
        while index < len(text) and depth:
            depth += {"[": 1, "]": -1}.get(text[index], 0)
            index += 1
        if depth:
            raise BadValue(
                "bad_resource_string",
                f"'{text}' has an open bracket: Bad resource requirement syntax.",
                f"close the bracket of {match[0].rstrip('[').strip()}[",
                None if "[" in text[match.end() :] else text.rstrip() + "]",
                text,
            )
        found.append((match[1], text[match.end() : index - 1].strip()))
        position = index
    rest = text[position:].strip()
    if rest.strip("{}*+0123456789 |&()@"):
        found.append(("select", rest))
    return found


@dataclass
class ResourceRequest:
    """What all -R strings together ask for.

    Attributes:
        hosts: ``span[hosts=…]``. ptile: slots a host. select: selections joined with ``&&``. order: as written.
        rusage: name -> value as written. cores: cores of ``affinity[core(N)]`` for each task.
        compound: True for ``2*{…}+3*{…}`` and alternatives, whose parts must not be added up.
    """

    hosts: int | None = None
    ptile: int | None = None
    select: str | None = None
    order: str | None = None
    rusage: dict[str, str] = field(default_factory=dict)
    cores: int | None = None
    affinity: str | None = None
    compound: bool = False
    beside: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Merges one -R string.

        Raises:
            BadValue: what bsub refuses.
        """
        if re.search(r"\d\s*\*\s*\{|\}\s*\|\|\s*\{", text):
            self.compound = True
        for name, inside in sections(text):
            getattr(self, f"_{name}", self._other)(inside)
            if name in ("same", "cu", "stage"):
                self.beside.append(f"{name}[{inside}]")

    def _other(self, inside: str) -> None:
        """Sections that change no number of the request (same, cu, stage); `beside` has them."""

    def _select(self, inside: str) -> None:
        self.select = f"({self.select}) && ({inside})" if self.select else inside

    def _order(self, inside: str) -> None:
        self.order = inside

    def _span(self, inside: str) -> None:
        for item in re.split(r"[\s,]+", inside):
            name, _, value = item.partition("=")
            if name == "hosts" and re.fullmatch(r"-?\d+", value):
                self.hosts = int(value)
            elif name == "ptile" and value.isdigit():
                self.ptile = int(value)
            elif name and name not in ("hosts", "ptile", "block", "stride") and "=" in item:
                raise BadValue(
                    "bad_resource_string",
                    f"'span[{inside}]': Bad resource requirement syntax.",
                    "span[hosts=1] or span[ptile=SLOTS_PER_HOST]",
                )

    def _rusage(self, inside: str) -> None:
        first = inside.split("||")[0]
        for item in re.split(r"[:,](?![^()]*\))", first):
            name, equals, value = item.strip().partition("=")
            if equals:
                self.rusage[name.strip()] = value.strip().strip("()").split(" ")[0]

    def _affinity(self, inside: str) -> None:
        self.affinity = inside
        match = re.match(r"(?:core|thread)(?:\((\d+)[^)]*\))?(?:\*(\d+))?", inside)
        if match:
            self.cores = int(match[1] or 1) * int(match[2] or 1)


@dataclass(frozen=True)
class GpuRequest:
    """``-gpu``: ``num`` GPUs for each host, or for each task where ``per_task``."""

    num: int = 1
    per_task: bool = False
    mode: str = "shared"
    model: str | None = None
    options: dict[str, str] = field(default_factory=dict)


def parse_gpu(text: str) -> GpuRequest:
    """``num=2:mode=exclusive_process:gmodel=…``, or ``-`` for the site's default (one shared GPU a host).

    Raises:
        BadValue: unknown key, number or mode.
    """
    if text.strip() == "-":
        return GpuRequest()
    options: dict[str, str] = {}
    for item in re.split(r":(?=\w+=)", text.strip()):
        name, equals, value = item.partition("=")
        if not equals or name.strip() not in GPU_KEYS:
            raise BadValue(
                "bad_gpu_spec",
                f"'{item}' is no GPU requirement: bsub refuses -gpu \"{text}\".",
                '-gpu "num=1:mode=exclusive_process"',
            )
        options[name.strip()] = value.strip()
    number = re.fullmatch(r"(\d+)(?:/(task|host))?", options.get("num", "1"))
    mode = options.get("mode", "shared")
    if not number or mode not in GPU_MODES:
        raise BadValue(
            "bad_gpu_spec",
            f'bsub refuses -gpu "{text}": num is a whole number (with /task or /host), mode is '
            "shared or exclusive_process.",
            '-gpu "num=1:mode=exclusive_process"',
        )
    return GpuRequest(int(number[1]), number[2] == "task", mode, options.get("gmodel"), options)


def parse_slots(text: str) -> tuple[int, int]:
    """(least, most) of ``-n 4`` or ``-n 4,16``.

    Raises:
        BadValue: not a number of slots.
    """
    match = re.fullmatch(r"\s*(\d+)\s*(?:,\s*(\d+)\s*)?", text, re.ASCII)
    if not match or int(match[1]) < 1 or int(match[2] or match[1]) < int(match[1]):
        raise BadValue("bad_slot_count", f"Bad argument for option -n: '{text}'.", "-n 8 or -n 4,16")
    return int(match[1]), int(match[2] or match[1])


def parse_name(text: str) -> tuple[str | None, Array | None]:
    """Name and array of ``-J name[1-10:2]%3``.

    Raises:
        BadValue: brackets or indices that LSF refuses (indices begin at 1).
    """
    if "[" not in text:
        return text, None
    match = re.fullmatch(r"([^\[\]]*)\[([^\[\]]+)\](?:%(\d+))?", text)
    found = indices.spans(re.sub(r"\s*,\s*", ",", match[2].strip())) if match else None
    if not found or any(first < 1 or last >= indices.MOST for first, last, _ in found):
        raise BadValue(
            "bad_array", f"Bad job name: '{text}'. Array indices are whole numbers from 1 on.", '-J "name[1-10]%2"'
        )
    return match[1] or None, indices.array(found, match[2], int(match[3]) if match[3] else None)
