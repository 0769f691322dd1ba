"""Can the practice cluster run the job, and are there still eight ranks with one GPU each?"""

from pathlib import Path

from workshop.jobs import JobRequest, Script, read_script
from workshop.jobs.check import check as check_script
from workshop.sites import Site, load_site
from workshop.sites.fill import CannotFill, fill

SITE = "practice"
RANKS = 8
MEMORY = 60 * 1024**3  # of the whole job, in bytes


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script, site = read_script(path, scheduler="slurm"), load_site(SITE)
    findings = check_script(script, site.profile()).of("error", "warning")
    problems = [f"Line {finding.line}: {finding.message}" for finding in findings]
    return problems + _refused(path, site) + _smaller(script)


def _memory(request: JobRequest) -> int:
    """Bytes of the whole job: memory is counted by node, core, GPU or task."""
    if request.mem is None:
        return 0
    counted_by = {"per_cpu": request.cpus_total, "per_gpu": request.gpus_total, "per_task": request.tasks}
    return (request.mem.value or 0) * (counted_by.get(request.mem.scope, request.nodes) or 1)


def _refused(path: Path, site: Site) -> list[str]:
    try:
        fill(path, site)
    except CannotFill as reason:
        return [str(reason)]
    return []


def _smaller(script: Script) -> list[str]:
    request, problems = script.request, []
    if request.tasks != RANKS or request.gpus_total != RANKS:
        problems.append(f"The job has {request.tasks} ranks and {request.gpus_total} GPUs: keep {RANKS} of each.")
    if _memory(request) != MEMORY:
        problems.append("--mem is counted for each node: keep 60 GiB for the whole job.")
    if request.cpus_per_task != 2:
        problems.append("Keep two cores for each rank.")
    return problems
