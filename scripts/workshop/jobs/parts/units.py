"""Times and amounts of memory, by each scheduler's own grammar. None stands for what does not parse."""

from __future__ import annotations

import re

MINUTE, HOUR, DAY = 60, 3600, 86400
KIB, MIB = 1024, 1024**2
POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6, "z": 7}


def slurm_time(text: str) -> int | None:
    """Seconds of sbatch's ``--time``, rounded up to the minute as Slurm does; 0 = no limit asked.

    Forms: minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes,
    days-hours:minutes:seconds (man sbatch, --time); sbatch also takes "days-" with nothing behind the dash.
    """
    if text == "-1" or text.lower() in ("infinite", "unlimited"):
        return 0
    if re.fullmatch(r"\d+-", text, re.ASCII):
        text += "0"
    match = re.fullmatch(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?", text, re.ASCII)
    if not match:
        return None
    days, *rest = match.groups()
    parts = [int(part) for part in rest if part is not None]
    if days is not None:
        seconds = int(days) * DAY + sum(n * unit for n, unit in zip(parts, (HOUR, MINUTE, 1), strict=False))
    elif len(parts) == 3:
        seconds = parts[0] * HOUR + parts[1] * MINUTE + parts[2]
    else:
        seconds = sum(n * unit for n, unit in zip(parts, (MINUTE, 1), strict=False))
    return -(-seconds // MINUTE) * MINUTE


def slurm_memory(text: str) -> int | None:
    """Bytes of sbatch's ``--mem``: a whole number with K, M, G or T and an optional B; bare = megabytes.

    Slurm counts in megabytes and rounds kilobytes up.
    """
    match = re.fullmatch(r"(\d+)(?:([kmgt])b?)?", text, re.ASCII | re.IGNORECASE)
    if not match:
        return None
    value, unit = int(match[1]), (match[2] or "m").lower()
    return -(-value // KIB) * MIB if unit == "k" else value * KIB ** POWER[unit]


def pbs_time(text: str, torque: bool = False) -> int | None:
    """Seconds of a PBS duration: ``[[hours:]minutes:]seconds[.milliseconds]`` (pbs_resources(7B)).

    Torque also knows days: ``DD:HH:MM:SS``.
    """
    parts = 4 if torque else 3
    match = re.fullmatch(r"(\d+(?::\d+)*)(\.\d+)?", text, re.ASCII)
    if not match or match[1].count(":") >= parts:
        return None
    numbers = [int(part) for part in match[1].split(":")]
    seconds = sum(n * unit for n, unit in zip(reversed(numbers), (1, MINUTE, HOUR, DAY), strict=False))
    return seconds + (1 if match[2] and match[2].strip(".0") else 0)


def pbs_size(text: str) -> int | None:
    """Bytes of a PBS size: a whole number with b, kb, mb, gb, tb, pb or w (8-byte words); bare = bytes."""
    match = re.fullmatch(r"(\d+)([kmgtp]?)([bw]?)", text, re.ASCII | re.IGNORECASE)
    if not match:
        return None
    word = 8 if match[3].lower() == "w" else 1
    return int(match[1]) * KIB ** POWER[match[2].lower()] * word


def lsf_time(text: str) -> int | None:
    """Seconds of bsub's ``-W [hours:]minutes[/host]``."""
    match = re.fullmatch(r"(?:(\d+):)?(\d+)(?:/\S+)?", text, re.ASCII)
    return int(match[1] or 0) * HOUR + int(match[2]) * MINUTE if match else None


LSF_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtpez]?)(b?)", re.ASCII | re.IGNORECASE)


def lsf_size(text: str, bare_unit: str | None = None) -> tuple[int | None, bool] | None:
    """(bytes, unit was written) of an LSF amount; None where it does not parse.

    Args:
        bare_unit: ``K``, ``M``, ``G`` … for a number without a unit; None = only the site knows
            (``LSF_UNIT_FOR_LIMITS``), then the bytes are None.
    """
    match = LSF_SIZE.fullmatch(text)
    if not match:
        return None
    if match[2]:
        return int(float(match[1]) * KIB ** POWER[match[2].lower()]), True
    if match[3]:
        return int(float(match[1])), True
    if bare_unit is None:
        return None, False
    return int(float(match[1]) * KIB ** POWER[bare_unit[0].lower()]), False


SPAN = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?)?\s*(?:(\d+)\s*h(?:ours?|rs?)?)?\s*"
    r"(?:(\d+)\s*m(?:in(?:ute)?s?)?)?\s*(?:(\d+)\s*s(?:ec(?:ond)?s?)?)?"
)


def meant_time(text: str) -> int | None:
    """Seconds of a time in words that no scheduler reads but nobody can misunderstand: ``4h``, ``1d 12h``."""
    match = SPAN.fullmatch(text.strip().lower())
    numbers = [int(number or 0) for number in match.groups()] if match and text.strip() else []
    return sum(n * unit for n, unit in zip(numbers, (DAY, HOUR, MINUTE, 1), strict=False)) or None


def meant_memory(text: str) -> str | None:
    """``32G`` for ``32GiB``, ``32 gb`` or ``32Gi``: the schedulers' units are the binary ones. None for the rest."""
    match = re.fullmatch(r"(\d+)\s*([kmgt])i?b?(?:ytes?)?", text.strip(), re.ASCII | re.IGNORECASE)
    return match[1] + match[2].upper() if match else None


def clock(seconds: int) -> str:
    """``HH:MM:SS``."""
    return f"{seconds // HOUR:02}:{seconds % HOUR // MINUTE:02}:{seconds % MINUTE:02}"


def show_time(seconds: int | None) -> str:
    """``1 d 12 h``, ``30 min`` …; never loses a second."""
    if seconds is None:
        return "the site's default"
    if seconds == 0:
        return "no limit asked"
    parts = []
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1, "s")):
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts)


def show_memory(value: int | None) -> str:
    """The largest binary unit that shows ``value`` as a whole number: ``64 GB``."""
    if value is None:
        return "unit set by the site"
    for unit, name in ((KIB**5, "PB"), (KIB**4, "TB"), (KIB**3, "GB"), (MIB, "MB"), (KIB, "KB")):
        if value and value % unit == 0:
            return f"{value // unit} {name}"
    return f"{value} bytes"
