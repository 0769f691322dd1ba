"""Does mpirun start two ranks on each node, and does each of them hear where rank 0 is?"""

import runpy
from collections import Counter
from pathlib import Path

from workshop.jobs import read_script
from workshop.rehearse import CannotRehearse

LAUNCHED = runpy.run_path(str(Path(__file__).parents[1] / "launched.py"))
NODES, RANKS_A_NODE = 2, 2


def check(path: Path) -> list[str]:
    """What is still wrong with the PBS job script ``path``: one sentence each, empty if nothing."""
    request = read_script(path, scheduler="pbs").request
    if (request.nodes, request.gpus_per_node) != (NODES, RANKS_A_NODE):
        return [f"Keep the request: {NODES} chunks with {RANKS_A_NODE} GPUs each."]
    try:
        jobs = [LAUNCHED["start"](path) for _ in range(2)]
    except CannotRehearse as reason:
        return [str(reason)]
    ranks, later = (job.of("python") for job in jobs)
    world = NODES * RANKS_A_NODE
    if len(ranks) != world:
        few = f"mpirun starts {len(ranks)} rank(s) for {world} GPUs: give it the node file, and -np {world} or none."
        return [jobs[0].failure, few] if jobs[0].failure else [few]
    local = Counter(rank["env"].get("OMPI_COMM_WORLD_LOCAL_RANK") for rank in ranks)
    if local != {str(number): NODES for number in range(RANKS_A_NODE)}:
        return [f"The ranks do not lie {RANKS_A_NODE} on each node: mpirun needs --hostfile with PBS_NODEFILE."]
    return _meeting_point(ranks, later, jobs[0].first_host)


def _meeting_point(ranks: list[dict], later: list[dict], first_host: str) -> list[str]:
    places = {(rank["env"].get("MASTER_ADDR", ""), rank["env"].get("MASTER_PORT", "")) for rank in ranks}
    if len(places) > 1:
        return ["Not all ranks get MASTER_ADDR and MASTER_PORT: mpirun passes on what -x names."]
    ((master, port),) = places
    later_port = later[0]["env"].get("MASTER_PORT", "") if later else ""
    return LAUNCHED["master_problems"](master, first_host) + LAUNCHED["port_problems"](port, later_port)
