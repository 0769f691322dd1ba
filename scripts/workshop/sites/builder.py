"""A job script from a few numbers: the logic of the builder in the notebook *Your job script*.

The commands come from the course's own scripts of the site's scheduler, the directives from a `JobRequest`; then the
script is filled in for the site and checked against its facts. Nothing is submitted.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from workshop.jobs.check import check
from workshop.jobs.dialect import dialect, targets
from workshop.jobs.model import Finding, JobRequest, Memory, Script
from workshop.jobs.read import read_script
from workshop.jobs.report import count, sentence
from workshop.jobs.write import write
from workshop.sites import Site, load_site, scheduler_name
from workshop.sites.fill import CannotFill, fill
from workshop.sites.starts import starts

__all__ = ["LAUNCHERS", "Built", "Wish", "build", "show"]

GIB = 1024**3

# What starts the processes -> in words.
LAUNCHERS = {
    "python": "python: one process",
    "torchrun": "torchrun: it starts one rank for each GPU",
    "mpirun": "mpirun: one rank for each GPU",
}


@dataclass(frozen=True)
class Wish:
    """What somebody wants of one job.

    Attributes:
        site: name of ``workshop sites``, or the path of a site file.
        nodes: number of nodes. gpus, cores: of each node. memory_gb: GiB of each node, None = not asked for.
        minutes: walltime. launcher: a key of ``LAUNCHERS``.
        gpu_type: model as the site spells it, None = any. account: the user's own, None = the site's form.
    """

    site: str
    nodes: int = 1
    gpus: int = 1
    cores: int = 4
    memory_gb: int | None = 8
    minutes: int = 15
    launcher: str = "torchrun"
    gpu_type: str | None = None
    account: str | None = None


@dataclass
class Built:
    """What became of a wish.

    Attributes:
        title, status: the site's name and its status in words, to be shown together.
        refused: why there is no script; then ``text`` and ``asks_for`` are empty.
        text: the script. asks_for: what it asks for, in one sentence. starts: what it starts, one sentence each.
        findings: of the checker, with the site's facts. warnings, notes: of ``fill``.
    """

    title: str
    status: str
    scheduler: str
    refused: str | None = None
    text: str = ""
    asks_for: str = ""
    starts: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def build(wish: Wish) -> Built:
    """The script for ``wish``, or the reason why there is none.

    Raises:
        SiteError: no such site, or its file has problems.
        ValueError: an unknown launcher, or a number that is none (negative, or zero nodes).
    """
    site = load_site(wish.site)
    built = Built(site.title, site.status_text, site.scheduler)
    built.refused = _unfit(wish)
    if site.scheduler not in targets():
        built.refused = f"{site.title} runs {scheduler_name(site.scheduler)}, for which the course has no scripts."
    if built.refused is None:
        try:
            text, losses = _generic(wish, site)
            filled = fill(text, site, wish.account)
        except CannotFill as reason:
            built.refused = str(reason)
        else:
            built.text, built.warnings, built.notes = filled.text, filled.warnings, losses + filled.notes
            _check(built, site)
    return built


def _unfit(wish: Wish) -> str | None:
    """Why the launcher cannot use what is asked for."""
    if wish.launcher not in LAUNCHERS:
        raise ValueError(f"unknown launcher '{wish.launcher}': choose {', '.join(LAUNCHERS)}")
    if min(wish.nodes, wish.cores, wish.minutes) < 1 or wish.gpus < 0 or (wish.memory_gb or 1) < 1:
        raise ValueError("nodes, cores, minutes and memory are at least 1, GPUs at least 0")
    if wish.launcher == "python":
        if wish.nodes > 1 or wish.gpus > 1:
            asked = f"{wish.nodes} nodes" if wish.nodes > 1 else f"{wish.gpus} GPUs"
            return (
                f"python starts one process, which uses one node and one GPU; this job asks for {asked}. "
                "Choose torchrun or mpirun, or ask for less."
            )
    elif wish.gpus == 0:
        return f"{wish.launcher} starts one rank for each GPU: ask for at least one, or choose python."
    elif wish.cores < wish.gpus:
        return f"{count(wish.cores, 'core')} for {wish.gpus} ranks: ask for at least one core for each GPU of a node."
    return None


def _generic(wish: Wish, site: Site) -> tuple[str, list[str]]:
    """The script for any cluster of the site's scheduler, and what its directives cannot say."""
    written = write(_request(wish, site), site.scheduler)
    header = [_of_a_node(_with_threads(line, wish)) for line in written.lines]
    losses = [f"{loss.what} is not in the script: {loss.reason}" for loss in written.losses]
    return "\n".join(["#!/bin/bash", *header, "", *_body(wish, site.scheduler)]) + "\n", losses


def _with_threads(line: str, wish: Wish) -> str:
    """One thread a rank: where a chunk does not say ompthreads, PBS sets OMP_NUM_THREADS to all its cores."""
    return line if wish.launcher == "python" else re.sub(r"mpiprocs=\d+", r"\g<0>:ompthreads=1", line)


def _of_a_node(line: str) -> str:
    """A line with LSF's memory says what it counts for, as in the course's scripts: ``fill`` goes by that."""
    return f"{line}  # EDIT: memory of each node" if "rusage[mem=" in line else line


def _request(wish: Wish, site: Site) -> JobRequest:
    """The wish as a request; ``fill`` puts the site's partition in place of ``gpu`` where it knows one."""
    name = _stem(wish)
    request = JobRequest(
        job_name=name,
        partition="gpu" if wish.gpus else None,
        nodes=wish.nodes,
        gpus_per_node=wish.gpus,
        gpus_total=wish.nodes * wish.gpus,
        gpu_type=wish.gpu_type if wish.gpus else None,
        mem=Memory(wish.memory_gb * GIB) if wish.memory_gb else None,
        time_s=wish.minutes * 60,
    )
    _SHAPES[site.scheduler](request, wish)
    return request


def _shape_slurm(request: JobRequest, wish: Wish) -> None:
    """One task a node where torchrun starts the ranks, one task a GPU where mpirun does."""
    request.output = "%x-%j.out"
    request.tasks_per_node = wish.gpus if wish.launcher == "mpirun" else 1
    request.tasks = wish.nodes * request.tasks_per_node
    request.cpus_per_task = wish.cores // request.tasks_per_node


def _shape_pbs(request: JobRequest, wish: Wish) -> None:
    """The node file names a node once for each mpiproc: one a rank, but one a node where pbsdsh starts torchrun."""
    request.join = "oe"
    by_node = wish.launcher == "python" or (wish.launcher == "torchrun" and wish.nodes > 1)
    request.tasks_per_node = 1 if by_node else wish.gpus
    request.tasks = wish.nodes * request.tasks_per_node
    request.cpus_per_task = wish.cores // request.tasks_per_node
    request.place = "scatter" if wish.nodes > 1 else None


def _shape_lsf(request: JobRequest, wish: Wish) -> None:
    """A slot is a core. The memory's scope stays the site's, as in the course's scripts."""
    request.output = f"{request.job_name}-%J.out"
    request.tasks_per_node = wish.cores
    request.tasks = wish.nodes * wish.cores
    request.cpus_per_task = 1
    if request.mem:
        request.mem = Memory(request.mem.value, None)


_SHAPES: dict[str, Callable[[JobRequest, Wish], None]] = {
    "slurm": _shape_slurm,
    "pbs": _shape_pbs,
    "lsf": _shape_lsf,
}


def _stem(wish: Wish) -> str:
    """The script of the course whose commands fit."""
    if wish.launcher == "mpirun":
        return "ddp_multi_node_mpirun"
    if wish.launcher == "python":
        return "one_device"
    return "ddp_multi_node" if wish.nodes > 1 else "ddp_single_node"


def _body(wish: Wish, scheduler: str) -> list[str]:
    """The commands of the course's script for this scheduler, with the wish's number of GPUs."""
    from workshop.paths import SCRIPTS  # only here is a clone needed

    stem = "ddp_single_node" if wish.launcher == "python" else _stem(wish)
    script = read_script(SCRIPTS / scheduler / f"{stem}{dialect(scheduler).endings[0]}")
    body = script.body
    if wish.launcher == "python":
        body = _one_process(body)
    # The PBS script for several nodes repeats ngpus, which no variable of PBS holds.
    body = re.sub(r"^gpus=\d+", f"gpus={wish.gpus}", body, flags=re.MULTILINE)
    return body.rstrip("\n").split("\n")


def _one_process(body: str) -> str:
    """The same environment, then one process instead of torchrun, which may use all cores of the job."""
    kept = [line for line in body.split("\n") if not line.startswith(("IFS=", "export OMP_NUM_THREADS"))]
    command = re.compile(r"^torchrun .*", re.MULTILINE | re.DOTALL)
    return command.sub("python scripts/train/one_device.py --epochs 5", "\n".join(kept))


def _check(built: Built, site: Site) -> None:
    script = read_script(built.text, site.scheduler)
    built.findings = check(script, site.profile()).findings
    # After the check, which knows from the site what a memory option counts.
    built.asks_for = sentence(script.request, script.scheduler)
    built.starts = starts(script, site.profile())
    if _guessed_partition(script, site):
        name, word = script.request.partition, dialect(site.scheduler).queue
        built.notes.append(f"'{name}' stands for a {word} with GPUs: write your cluster's own name.")


def _guessed_partition(script: Script, site: Site) -> bool:
    return script.request.partition is not None and not site.partitions


def show(built: Built) -> str:
    """A result as text: the site with its status, the script or the reason why not, and what is to be said about it."""
    lines = [f"{built.title} ({scheduler_name(built.scheduler)}), status: {built.status}.", ""]
    if built.refused:
        return "\n".join([*lines, f"REFUSED: {built.refused}"])
    lines += [built.text, built.asks_for, *built.starts]
    lines += [f"WARNING: {warning}" for warning in built.warnings]
    lines += [f"- {note}" for note in built.notes]
    for finding in built.findings:
        where = f"line {finding.line}" if finding.line else "whole file"
        lines.append(f"{finding.severity}, {where}: {finding.message} Write: {finding.fix}")
    if not any(finding.severity in ("error", "warning") for finding in built.findings):
        lines.append("The checker has no error and no warning.")
    return "\n".join(lines)
