"""Numbers that the script gives beside the scheduler's: a limit of the program's own, a step between indices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.launch import Launch
from workshop.jobs.launch.questions import is_helper
from workshop.jobs.model import WRONG, Finding
from workshop.jobs.parts import indices
from workshop.jobs.parts.units import DAY, HOUR, MINUTE, clock
from workshop.jobs.parts.values import Word
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

TIMEOUT = re.compile(r"(\d+(?:\.\d+)?|\.\d+)([smhd]?)", re.ASCII)
UNIT = {"": 1, "s": 1, "m": MINUTE, "h": HOUR, "d": DAY}
# Lightning's max_time, and NeMo's of one run: DD:HH:MM:SS.
MAX_TIME = re.compile(r"(?:--|\+{0,2})?(?:trainer\.|exp_manager\.)?max_time(?:_per_run)?")
DAYS = re.compile(r"(\d+):(\d\d):(\d\d):(\d\d)", re.ASCII)
# Option -> (seconds of its unit, the programs that have it; None = any).
OWN_LIMITS = {
    "--exit-duration-in-mins": (MINUTE, None),  # Megatron-LM
    "-maxh": (HOUR, re.compile(r"^(?:gmx|mdrun)")),  # GROMACS
}
# So many times the walltime is no limit that anybody means.
SWITCHED_OFF = 100


@rule("own_limit_beyond_walltime", verdict=WRONG, severity="warning")
def own_limit_beyond_walltime(context: Context) -> Iterator[Finding]:
    """A program is told to stop by itself at a time that the job does not reach."""
    walltime = context.request.time_s
    if context.heterogeneous or not walltime:
        return
    for launch in context.certain:
        if launch.background or is_helper(launch):
            continue
        for written, seconds in _limits(launch):
            if walltime < seconds <= SWITCHED_OFF * walltime:
                yield Finding(
                    "own_limit_beyond_walltime",
                    "warning",
                    launch.line,
                    f"'{written}' would end the program after {clock(seconds)}, and the job itself ends after "
                    f"{clock(walltime)}: the scheduler kills it first, and what shall come after it does not run.",
                    f"a limit some minutes below {clock(walltime)}, or a longer walltime",
                    context.dialect.manual,
                )
                return


def _limits(launch: Launch) -> Iterator[tuple[str, int]]:
    """(as written, seconds) of each limit that timeout or the program itself is given."""
    for layer in launch.layers:
        if layer.name == "timeout" and layer.extra:
            text = layer.extra[0].text or ""
            if match := TIMEOUT.fullmatch(text):
                yield f"timeout {text}", int(float(match[1]) * UNIT[match[2]])
    words = launch.program
    for index, word in enumerate(words[1:], 1):
        option, value = _option(word, words[index + 1 : index + 2])
        seconds = _seconds(option, value, words[0].text or "")
        if seconds:
            yield f"{option} {value}", seconds


def _option(word: Word, following: tuple[Word, ...]) -> tuple[str, str]:
    """``--a=1`` and ``--a 1`` as (name, value); empty where one is not known."""
    name, equals, value = (word.text or "").partition("=")
    return name, value if equals else (following[0].text or "") if following else ""


def _seconds(option: str, value: str, program: str) -> int | None:
    if MAX_TIME.fullmatch(option):
        match = DAYS.fullmatch(value)
        return match and sum(int(n) * unit for n, unit in zip(match.groups(), (DAY, HOUR, MINUTE, 1), strict=True))
    unit, programs = OWN_LIMITS.get(option, (0, None))
    if not unit or (programs and not programs.match(program.rpartition("/")[2])):
        return None
    return int(float(value) * unit) if re.fullmatch(r"\d+(?:\.\d+)?", value, re.ASCII) else None


@rule("array_step_leaves_one_index", verdict=WRONG, severity="warning")
def array_step_leaves_one_index(context: Context) -> Iterator[Finding]:
    """The step between the indices of a job array is larger than their range."""
    array = context.request.array
    found = indices.spans(array.indices) if array is not None and not context.heterogeneous else None
    if not found or len(found) > 1:
        return
    ((first, last, step),) = found
    if last > first and step > last - first:
        yield Finding(
            "array_step_leaves_one_index",
            "warning",
            context.line("--array", "-J", "-t"),
            f"The step {step} reaches beyond {last}, so the array {array.indices} has one element, number {first}.",
            f"{first}-{last}, or a smaller step (behind % stands how many may run at the same time)",
            context.dialect.manual,
        )
