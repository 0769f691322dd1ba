"""Do four ranks run on each of two nodes, with two threads and one GPU each? The script is rehearsed."""

import re
import tempfile
from pathlib import Path

from workshop.jobs import read_script
from workshop.jobs.check import check as check_script
from workshop.rehearse import CannotRehearse, rehearse

NODES, RANKS, THREADS, CORES, GPUS, MEMORY_GB = 2, 4, 2, 8, 4, 64


def check(path: Path) -> list[str]:
    """What is still wrong with the PBS job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="pbs")
    findings = check_script(script).of("error")
    if findings:
        return [f"Line {finding.line}: {finding.message}" for finding in findings]
    request = script.request
    problems = []
    if (request.nodes, request.cpus_total, request.gpus_total) != (NODES, NODES * CORES, NODES * GPUS):
        problems.append("Keep two chunks of eight cores and four GPUs each.")
    if not request.mem or request.mem.value != MEMORY_GB << 30:
        problems.append(f"Keep {MEMORY_GB} GB of memory in each chunk.")
    if not _apart(script):
        problems.append("PBS may put both chunks on one node: say how to place them.")
    try:
        with tempfile.TemporaryDirectory() as folder:
            problems += _ranks(rehearse(path, workdir=folder, scheduler="pbs", walltime_s=20).stdout)
    except CannotRehearse as error:
        problems.append(f"The script cannot be rehearsed: {error}")
    return problems


def _apart(script) -> bool:
    places = re.findall(r"place=([\w:=]+)", " ".join(value or "" for value in script.values("-l")))
    return any({"scatter", "vscatter", "exclhost"} & set(place.split(":")) for place in places)


def _ranks(printed: str) -> list[str]:
    """What the body's own lines say about the node file and the threads."""
    lines = [int(count) for count in re.findall(r"^\s*(\d+) node", printed, flags=re.M)]
    threads = re.search(r"^threads: (\d+)", printed, flags=re.M)
    if not lines or not threads:
        return ["Keep the two lines that print the node file and the threads."]
    problems = []
    if lines != [RANKS] * NODES:
        problems.append(f"The node file has {lines} lines for its nodes, it should have {RANKS} each: mpiprocs.")
    if int(threads[1]) != THREADS:
        problems.append(f"Each rank would start {threads[1]} threads, it has {THREADS} cores: ompthreads.")
    return problems
