"""What a job script starts, and where: a rehearsal with recorders in the place of torchrun and python.

The checks on launches use it, also those of *Your job script*: when a recorder is called, the shell has computed
whatever the script computes.
"""

import argparse
import json
import re
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from workshop.jobs import read_script
from workshop.rehearse import CannotRehearse, rehearse

FIRST_EPHEMERAL_PORT = 32768  # Linux, net.ipv4.ip_local_port_range
PREFIX = "gpunode"  # of the names of the rehearsal's nodes
RECORDER = """#!{python} -ES
import json, os, sys, tempfile
with tempfile.NamedTemporaryFile("w", dir={folder!r}, suffix=".json", delete=False) as file:
    json.dump({{"program": os.path.basename(sys.argv[0]), "args": sys.argv[1:], "env": dict(os.environ)}}, file)
"""


@dataclass
class Started:
    """What one job started.

    Attributes:
        first_host: the first of the job's nodes.
        calls: one dictionary for each process, with "program" (torchrun or python), "args" and "env".
        failure: how the job's own commands failed, one sentence; empty where they did not.
    """

    first_host: str
    calls: list[dict]
    failure: str = ""

    def of(self, program: str, training: str = "ddp.py") -> list[dict]:
        """The calls of one program (python3 is python) that run a training script."""
        called = [c for c in self.calls if c["program"] in (program, f"{program}3")]
        return [c for c in called if any(training in word for word in c["args"])]


def start(script: Path) -> Started:
    """Rehearse ``script`` once; each time it is another job, with another id."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "calls").mkdir()
        programs = place / ".venv" / "bin"
        programs.mkdir(parents=True)
        for name in ("torchrun", "python", "python3"):
            (programs / name).write_text(RECORDER.format(python=sys.executable, folder=str(place / "calls")))
            (programs / name).chmod(0o755)
        (programs / "activate").write_text(f'export PATH="{programs}:$PATH"\n')
        job = rehearse(script, workdir=place, walltime_s=120, nodes_prefix=PREFIX)
        calls = [_as_torchrun(json.loads(path.read_text())) for path in (place / "calls").iterdir()]
    return Started(f"{PREFIX}01", calls, "" if job.ok else f"The job fails: {_first_complaint(job.stdout)}")


def _first_complaint(output: str) -> str:
    """The line of a job's output that says what is wrong; bash's own, without the name of the script."""
    lines = [line.strip() for line in output.splitlines() if re.search(r"\w", line)] or ["it says nothing"]
    telling = r"unbound variable|not found|No such file|not enough slots|[Ee]rror|Permission denied"
    line = next((line for line in lines if re.search(telling, line)), lines[-1])
    return re.sub(r"^\S*slurm_script: ", "", line)


def _as_torchrun(call: dict) -> dict:
    """``python -m torch.distributed.run`` is torchrun by its long name."""
    if call["args"][:2] != ["-m", "torch.distributed.run"]:
        return call
    return call | {"program": "torchrun", "args": call["args"][2:]}


def problems_of_torchrun(script: Path, nodes: int, gpus: int, cores: int) -> list[str]:
    """What keeps a Slurm script from starting one torchrun a node that meet in a rendezvous of their own job."""
    request = read_script(script, scheduler="slurm").request
    return problems_of_request(request, nodes, gpus, cores) + problems_of_agents(script, nodes, gpus)


def problems_of_agents(script: Path, nodes: int, gpus: int) -> list[str]:
    """The same of the launch alone, for a script of any scheduler."""
    try:
        first, second = start(script), start(script)
    except CannotRehearse as reason:
        return [str(reason)]
    if len(first.of("torchrun")) != nodes:
        few = f"It starts {len(first.of('torchrun'))} torchrun(s) on {nodes} nodes: one task a node."
        return [first.failure or few]
    options, later = ([_torchrun_options(call["args"]) for call in job.of("torchrun")] for job in (first, second))
    problems = []
    if any(o.nnodes != str(nodes) or o.nproc_per_node != str(gpus) for o in options):
        problems.append(f"Each torchrun should hear of {nodes} nodes (--nnodes) and start {gpus} ranks.")
    if any(o.rdzv_backend != "c10d" for o in options):
        problems.append("Without --rdzv-backend=c10d the torchruns do not look for each other at the endpoint.")
    if any(o.node_rank is not None for o in options):
        problems.append("--node-rank does nothing with c10d: the rendezvous numbers the nodes. Remove it.")
    return problems + _endpoint_problems(options, first.first_host) + _shared_problems(options, later)


def problems_of_request(request, nodes: int, gpus: int, cores: int) -> list[str]:
    """The exercise is about the launch: what the job asks for stays."""
    problems = []
    if request.nodes != nodes or request.gpus_per_node != gpus:
        problems.append(f"Keep the request: --nodes={nodes} and --gpus-per-node={gpus}.")
    tasks = request.tasks_per_node or -(-(request.tasks or nodes) // nodes)
    if tasks * (request.cpus_per_task or 1) != cores:
        problems.append(f"It asks for {tasks} x {request.cpus_per_task or 1} cores a node, not for {cores}.")
    return problems


def master_problems(master: str, first_host: str) -> list[str]:
    """Is ``master`` the job's first node?"""
    if master == "localhost" or master.startswith("127."):
        return [f"The master is {master}: on every node this is the node itself, so they never meet."]
    if master not in (first_host, socket.gethostname()):
        return [f"The master is {master or 'not set'}: it should be the first node of the job, here {first_host}."]
    return []


def port_problems(port: str, later: str) -> list[str]:
    """Is ``port`` below the ephemeral range, and another one in a later job?"""
    if not port.isdigit() or not 1024 <= int(port) < FIRST_EPHEMERAL_PORT:
        return [f"The port is {port or 'not set'}: choose one from 1024 to {FIRST_EPHEMERAL_PORT - 1}."]
    if port == later:
        return [f"Two jobs both use port {port}: compute it from the job's id."]
    return []


def _torchrun_options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False)
    for name in ("nnodes", "nproc-per-node", "node-rank", "rdzv-backend", "rdzv-id", "rdzv-endpoint"):
        parser.add_argument(f"--{name}", f"--{name.replace('-', '_')}")
    return parser.parse_known_args(words)[0]


def _endpoint_problems(options, first_host: str) -> list[str]:
    if len({o.rdzv_endpoint for o in options}) > 1:
        return ["The nodes get different endpoints, so they cannot meet."]
    host, _, port = (options[0].rdzv_endpoint or "").partition(":")
    return master_problems(host, first_host) + port_problems(port, "")


def _shared_problems(options, later) -> list[str]:
    problems = []
    if options[0].rdzv_endpoint and options[0].rdzv_endpoint == later[0].rdzv_endpoint:
        problems.append("Two jobs use the same endpoint: compute the port from the job's id.")
    if options[0].rdzv_id in (None, later[0].rdzv_id):
        problems.append("Two jobs use the same --rdzv-id (or none): give it the job's id.")
    return problems
