"""Is this job narrow and short enough for the hole, and still large and long enough for its work?"""

from pathlib import Path

from workshop.jobs import Script, read_script
from workshop.queue_model import Job, Reservation, may_backfill

HOLE_NODES = 2
HOLE_MIN = 150
CORES_A_NODE = 16
WORKERS = 32
MEASURED_MIN = 100
MARGIN_MIN = 110  # 10 % above what was measured


def check(path: Path) -> list[str]:
    """What is wrong with the job script ``path`` (Slurm, PBS or LSF), one sentence each."""
    script = read_script(path)
    request, problems = script.request, []
    nodes, tasks = request.nodes, _tasks(request)
    if nodes is None or tasks is None:
        problems.append("The header must say how many nodes and how many tasks it wants.")
    elif tasks != WORKERS:
        problems.append(f"The program needs {WORKERS} tasks, the header gives it {tasks}.")
    elif tasks > nodes * CORES_A_NODE:
        problems.append(f"{tasks} tasks on {nodes} node(s) are more than {CORES_A_NODE} a node: no node has room.")
    elif tasks * (request.cpus_per_task or 1) > nodes * CORES_A_NODE:
        problems.append(
            f"{tasks} tasks with {request.cpus_per_task} cores each are more than {CORES_A_NODE} cores a node."
        )
    if not request.time_s:
        return [*problems, "The header asks for no walltime: the site's default applies, often the longest."]
    # With --time-min Slurm may lower the walltime so far.
    walltime = (request.extra.time_min_s or request.time_s) // 60
    if walltime < MARGIN_MIN:
        problems.append(
            f"{walltime} min is too short: the run took {MEASURED_MIN} min and should get at least 10 % more."
        )
    if nodes and nodes > HOLE_NODES and not _chunks_may_share(script):
        problems.append(f"{nodes} nodes do not fit: {HOLE_NODES} are idle.")
    job = Job("yours", HOLE_NODES, max(walltime, 1), MEASURED_MIN)
    if not may_backfill(job, 0, HOLE_NODES, Reservation(HOLE_MIN, 0)):
        problems.append(f"{walltime} min reach past the promised start in {HOLE_MIN} min.")
    return problems


def _chunks_may_share(script: Script) -> bool:
    """PBS may put several chunks on one node, unless they are to be scattered."""
    return script.scheduler == "pbs" and "scatter" not in (script.request.place or "")


def _tasks(request) -> int | None:
    """Tasks in all, from the total or from nodes and tasks a node."""
    if request.tasks_per_node and request.nodes:
        return request.tasks_per_node * request.nodes
    return request.tasks
