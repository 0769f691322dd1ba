"""Slurm's short forms: node lists and counts of equal neighbors. Standard library only."""

from __future__ import annotations

import re


def expand(text: str) -> list[str]:
    """Host names of a Slurm node list: ``n[01-03,07],g1`` gives n01, n02, n03, n07, g1."""
    names = []
    for item in re.findall(r"[^,\[\]]+(?:\[[^\]]*\][^,\[\]]*)?", text):
        match = re.fullmatch(r"([^\[]*)\[([^\]]*)\](.*)", item)
        if not match:
            names.append(item)
            continue
        for part in match[2].split(","):
            low, _, high = part.partition("-")
            numbers = range(int(low), int(high or low) + 1)
            names += [f"{match[1]}{number:0{len(low)}d}{match[3]}" for number in numbers]
    return names


def compress(names: list[str]) -> str:
    """A Slurm node list of names: n01, n02 gives ``n[01-02]`` (only neighbors with one prefix are joined)."""
    groups: list[tuple[str, list[str]]] = []
    for name in names:
        match = re.fullmatch(r"(.*?)(\d+)", name)
        prefix, number = (match[1], match[2]) if match else (name, "")
        if (
            groups
            and groups[-1][0] == prefix
            and number
            and groups[-1][1][-1]
            and int(groups[-1][1][-1]) + 1 == int(number)
        ):
            groups[-1][1].append(number)
        else:
            groups.append((prefix, [number]))
    return ",".join(f"{p}[{n[0]}-{n[-1]}]" if len(n) > 1 else f"{p}{n[0]}" for p, n in groups)


def runs(counts: list[int]) -> str:
    """Slurm's short form of equal neighbors: 2, 2, 1 gives ``2(x2),1``."""
    parts: list[list[int]] = []
    for count in counts:
        if parts and parts[-1][0] == count:
            parts[-1][1] += 1
        else:
            parts.append([count, 1])
    return ",".join(f"{value}(x{times})" if times > 1 else str(value) for value, times in parts)
