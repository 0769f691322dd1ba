"""Batch systems that are not read: how their scripts are recognized, so that nothing is claimed about them."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class System:
    """A batch system that is not read.

    Attributes:
        name: as people call it. lines: pattern of one of its directive lines. submit: its command.
    """

    name: str
    lines: re.Pattern[str]
    submit: str


@dataclass(frozen=True)
class Sighting:
    """A system, and the first line (1-based) that shows it."""

    system: System
    line: int


# Keywords of LoadLeveler; "# @ name = value" alone could be anybody's remark.
_LOADLEVELER = (
    "job_name|job_type|class|node|nodes|tasks_per_node|total_tasks|wall_clock_limit|output|error|shell|initialdir|"
    "environment|notification|notify_user|resources|requirements|network\\.\\w+|group|account_no|cpus_per_node|"
    "bg_size|step_name|executable|arguments|node_usage|island_count|energy_policy_tag"
)
SYSTEMS = (
    System("Grid Engine", re.compile(r"#\$[ \t]*-\w"), "qsub"),
    System("JH UniScheduler", re.compile(r"#JSUB[ \t]+-"), "jsub"),
    System("Moab", re.compile(r"#MSUB[ \t]+-"), "msub"),
    System("Fujitsu's PJM", re.compile(r"#PJM[ \t]+-"), "pjsub"),
    System("Cobalt", re.compile(r"#COBALT[ \t]+-"), "qsub"),
    System("OAR", re.compile(r"#OAR[ \t]+-"), "oarsub"),
    System("Flux", re.compile(r"[#/;\-]*[ \t]*(?:flux|FLUX):[ \t]*-"), "flux batch"),
    System("LoadLeveler", re.compile(rf"#[ \t]*@[ \t]*(?:(?:{_LOADLEVELER})[ \t]*=|queue[ \t]*$)", re.I), "llsubmit"),
    System("Donau", re.compile(r"#DSUB[ \t]+-"), "dsub"),
    System("HyperQueue", re.compile(r"#HQ[ \t]+-"), "hq submit"),
    System("NQS", re.compile(r"#@\$[ \t]*-\w|#QSUB[ \t]+-"), "qsub"),
)
# NEC's NQSV kept the #PBS lines of its ancestor. What only it has, and what it shares with Torque.
NQSV = System(
    "NEC NQSV",
    re.compile(
        r"[ \t]*#PBS\b.*?(?:[ \t]-T[ \t]*(?:openmpi|necmpi|intmpi|mpisx|mpich|distrib)\b|\belapstim_req=|"
        r"[ \t]--venode\b|[ \t]--venum-lhost\b|\b(?:cpunum|gpunum|memsz|vmemsz|cputim|coresz)_(?:job|lhost|prc)=)"
    ),
    "qsub",
)
SAME_WORDS = re.compile(r"^[ \t]*#PBS\b.*(?:\bselect=|\bnodes=|\bncpus=|\bppn=)", re.MULTILINE)
NQSV_NODES = re.compile(r"[ \t]*#PBS\b.*[ \t]-b[ \t]*\d+[ \t]*(?:$|-)")
NQSV_MPI = re.compile(r"\bNQSV_\w+|\b_NEC_\w+")


def other_system(lines: list[str]) -> Sighting | None:
    """The system of a script that has no directive of a scheduler that is read; None where nothing shows one."""
    for system in SYSTEMS:
        for number, line in enumerate(lines, 1):
            if system.lines.match(line):
                return Sighting(system, number)
    return None


def nqsv(lines: list[str]) -> Sighting | None:
    """NEC NQSV behind #PBS lines."""
    for number, line in enumerate(lines, 1):
        if "#PBS" in line and NQSV.lines.match(line):
            return Sighting(NQSV, number)
    nodes = next((number for number, line in enumerate(lines, 1) if NQSV_NODES.match(line)), None)
    text = "\n".join(lines)
    if nodes and NQSV_MPI.search(text) and not SAME_WORDS.search(text):
        return Sighting(NQSV, nodes)
    return None
