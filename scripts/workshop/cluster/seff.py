"""``seff JOBID``: how much of what a finished job asked for it used.

Stands in for Slurm's own ``seff`` (contribs/seff of its sources), which Debian's and Ubuntu's packages leave out and
which Fedora has in ``slurm-contribs``; the practice cluster puts it last on PATH, so that a real one wins. It asks
``sacct`` and prints the same lines. CPU efficiency is CPU time used / (cores x elapsed time); memory efficiency is the
largest resident size of a task x its number of tasks / memory asked for, as the original computes them.
"""

import os
import re
import subprocess
import sys

FIELDS = (
    "JobID",
    "Cluster",
    "User",
    "Group",
    "State",
    "ExitCode",
    "NNodes",
    "NCPUS",
    "Elapsed",
    "TotalCPU",
    "ReqMem",
    "MaxRSS",
    "NTasks",
    "AllocTRES",
)
UNITS = {"K": 1, "M": 1024, "G": 1024**2, "T": 1024**3}


def seconds(text: str) -> float:
    """Slurm's [days-][hours:]minutes:seconds[.fraction] in seconds."""
    days, _, clock = text.rpartition("-")
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part or 0)
    return total + int(days or 0) * 86400


def kibibytes(text: str) -> float:
    """A size as sacct prints it ("1024K", "2.5G"), in KiB; 0 for an empty one."""
    match = re.match(r"([\d.]+)([KMGT]?)", text)
    return float(match[1]) * UNITS.get(match[2] or "K", 1) if match else 0.0


def clock(total: float) -> str:
    """Seconds as [days-]hours:minutes:seconds."""
    days, rest = divmod(round(total), 86400)
    hours, rest = divmod(rest, 3600)
    return (f"{days}-" if days else "") + f"{hours:02}:{rest // 60:02}:{rest % 60:02}"


def size(kib: float) -> str:
    """A size with two decimals and a fitting unit."""
    for unit in ("KB", "MB", "GB"):
        if kib < 1024:
            return f"{kib:.2f} {unit}"
        kib /= 1024
    return f"{kib:.2f} TB"


def rows_of(job: str) -> list[dict[str, str]]:
    """What sacct knows about a job and its steps; ends the program where that fails."""
    argv = ["sacct", "--noheader", "--parsable2", f"--jobs={job}", f"--format={','.join(FIELDS)}"]
    result = subprocess.run(argv, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"seff: sacct failed: {result.stderr.strip()}")
    rows = [dict(zip(FIELDS, line.split("|"), strict=True)) for line in result.stdout.splitlines()]
    # Asked for one array task or job, sacct may print more; the steps of a job are called JOBID.STEP.
    wanted = [row for row in rows if row["JobID"].partition(".")[0] == job]
    if not wanted:
        sys.exit(f"seff: Job not found: {job} (accounting has no record of it)")
    return wanted


def asked_memory(job: dict[str, str]) -> float:
    """Memory that the job was given, in KiB."""
    match = re.search(r"mem=([\d.]+[KMGT]?)", job["AllocTRES"]) or re.match(r"(.+)", job["ReqMem"])
    return kibibytes(match[1]) if match else 0.0


def report(rows: list[dict[str, str]]) -> str:
    """The lines that seff prints."""
    job, steps = rows[0], rows[1:]
    state = job["State"].split(" ")[0]
    code = job["ExitCode"].partition(":")[0]
    nodes, cores = int(job["NNodes"]), int(job["NCPUS"])
    elapsed, used = seconds(job["Elapsed"]), seconds(job["TotalCPU"])
    memory = max((kibibytes(step["MaxRSS"]) * int(step["NTasks"] or 1) for step in steps), default=0.0)
    asked, possible = asked_memory(job), elapsed * cores
    per_node = f"Nodes: {nodes}\nCores per node: {cores // nodes}" if cores > 1 else f"Cores: {cores}"
    lines = [
        f"Job ID: {job['JobID']}",
        f"Cluster: {job['Cluster']}",
        f"User/Group: {job['User']}/{job['Group']}",
        f"State: {state} (exit code {code})",
        per_node,
        f"CPU Utilized: {clock(used)}",
        f"CPU Efficiency: {used / possible if possible else 0:.2%} of {clock(possible)} core-walltime",
        f"Job Wall-clock time: {clock(elapsed)}",
        f"Memory Utilized: {size(memory)}",
        f"Memory Efficiency: {memory / asked if asked else 0:.2%} of {size(asked)}",
    ]
    if state in ("PENDING", "RUNNING"):
        lines.append(f"WARNING: Efficiency statistics may be misleading for {state} jobs.")
    return "\n".join(lines)


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Usage: seff JOBID")
    print(report(rows_of(sys.argv[1])))


if __name__ == "__main__":
    # `seff 12 | head -n 1` must not end with a traceback.
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
