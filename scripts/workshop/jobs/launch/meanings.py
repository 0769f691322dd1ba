"""What a variable or the output of a command stands for, as far as that can be said: numbers, hosts, chance."""

from __future__ import annotations

import re

from workshop.jobs.launch.model import Shape
from workshop.jobs.parts.expansions import calculated
from workshop.jobs.parts.values import TASK, Atom, Value, atoms, constant

# Variable -> field of Shape. The same number in the batch shell and in each task.
NUMBERS = {
    "SLURM_NNODES": "nodes",
    "SLURM_JOB_NUM_NODES": "nodes",
    "SLURM_NTASKS": "tasks",
    "SLURM_NPROCS": "tasks",
    "SLURM_NTASKS_PER_NODE": "tasks_per_node",
    "SLURM_CPUS_PER_TASK": "cpus_per_task",
    "SLURM_GPUS_ON_NODE": "gpus_per_node",
    "SLURM_GPUS_PER_NODE": "gpus_per_node",
    "PBS_NUM_NODES": "nodes",
    "PBS_NP": "tasks",
    "LSB_DJOB_NUMPROC": "tasks",
}
# What differs from task to task.
RANKS = {
    "SLURM_PROCID": "rank",
    "SLURM_LOCALID": "local_rank",
    "SLURM_NODEID": "node_rank",
    "OMPI_COMM_WORLD_RANK": "rank",
    "OMPI_COMM_WORLD_LOCAL_RANK": "local_rank",
    "OMPI_COMM_WORLD_NODE_RANK": "local_rank",
    "PMI_RANK": "rank",
    "PMIX_RANK": "rank",
    "MPI_LOCALRANKID": "local_rank",
    "PALS_RANKID": "rank",
    "PALS_LOCAL_RANKID": "local_rank",
    "PALS_NODEID": "node_rank",
    "MV2_COMM_WORLD_RANK": "rank",
    "MV2_COMM_WORLD_LOCAL_RANK": "local_rank",
    "PBS_TASKNUM": "rank",
    "PBS_NODENUM": "node_rank",
    "ALPS_APP_PE": "rank",
}
CHANCE = {"RANDOM", "SRANDOM", "$", "BASHPID", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME"}
THIS_HOST = {"HOSTNAME", "SLURMD_NODENAME", "HOST"}
JOB_IDS = {"SLURM_JOB_ID", "SLURM_JOBID", "SLURM_ARRAY_JOB_ID", "PBS_JOBID", "LSB_JOBID"}
HOSTS = {"SLURM_JOB_NODELIST", "SLURM_NODELIST", "LSB_HOSTS", "LSB_MCPU_HOSTS", "SLURM_STEP_NODELIST"}
# What lists the GPUs of this node.
GPU_LISTS = {"CUDA_VISIBLE_DEVICES", "SLURM_JOB_GPUS", "SLURM_STEP_GPUS", "ROCR_VISIBLE_DEVICES"}

NODE_FILE = r"\$(?:PBS_NODEFILE|LSB_DJOB_HOSTFILE|LSB_HOSTFILE|LSB_AFFINITY_HOSTFILE)"
HOST_LIST = rf"(?:scontrol show hostnames?\b[^|]*|(?:sort|cat|uniq|awk)\b[^|]*{NODE_FILE}[^|]*)"
ONE = r"(?:(?:head|tail) (?:-n ?1|-1|--lines[= ]1)|sed (?:-n )?1\S*|awk \S*NR==1\S*[^|]*)"
FIRST_HOST = [
    re.compile(rf"^{HOST_LIST}(?:\| (?:sort|uniq)[^|]*)*\| {ONE}\s*(?:\| (?:cut|tr|sed|awk)\b[^|]*)?$"),
    re.compile(rf"^{ONE} (?:< )?{NODE_FILE}(?: \| (?:cut|tr|sed|awk)\b[^|]*)?$"),
    re.compile(r"^srun [^|]*(?:-w|--nodelist).*hostname\b.*"),
]
ALL_HOSTS = [
    re.compile(rf"^awk '?!\w+\[\$0\]\+\+'? {NODE_FILE}(?: \| (?:sort|tr|paste)\b[^|]*)*$"),
    re.compile(r"^scontrol show hostnames?\b[^|]*(?:\| (?:sort|uniq|tr|paste)\b[^|]*)*$"),
    re.compile(rf"^(?:sort [^|]*-u\w*[^|]*|sort --unique [^|]*|uniq ){NODE_FILE}(?: \| (?:sort|tr|paste)\b[^|]*)*$"),
    re.compile(
        rf"^(?:cat|sort|awk)\b[^|]*{NODE_FILE}[^|]*\| (?:sort (?:-u|--unique)|uniq)(?: \| (?:tr|paste)\b[^|]*)*$"
    ),
]
COUNT = re.compile(r" \| wc (?:-l|--lines)\s*$")
FIRST_WORD = r"(?: \| (?:awk '?\{ ?print \$1 ?;? ?\}'?|cut -d ?\S* ?-f ?1))"  # quotes are gone in a command's text
NODE_LINES = re.compile(
    rf"^(?:wc (?:-l|--lines) < {NODE_FILE}|(?:cat|less) {NODE_FILE} \| wc (?:-l|--lines)"
    rf"|wc (?:-l|--lines) {NODE_FILE}{FIRST_WORD}|wc (?:-l|--lines) < {NODE_FILE}{FIRST_WORD})$"
)
HOST_NAME = re.compile(
    r"^(?:/\w+)*/?(?:hostname|uname -n|hostnamectl hostname)\b[^|]*(?:\| (?:cut|awk|sed|head|tr)\b.*)?$"
)
GPU_COUNT = re.compile(
    r"^nvidia-smi (?:-L|--list-gpus|--query-gpu=\S+ --format=\S+) \| (?:grep [^|]*\| )?wc (?:-l|--lines)$"
)
RANDOM_OUTPUT = re.compile(r"\b(?:shuf|uuidgen|mktemp|openssl rand|urandom|random)\b|^date\b|\$RANDOM|\$\$")
LOCAL = re.compile(r"^(?:localhost(?:\.localdomain)?|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$", re.IGNORECASE)


def meaning(atom: Atom) -> str:
    """``nodes``, ``tasks`` … (fields of Shape), ``rank``, ``local_rank``, ``node_rank``, ``job_id``, ``this_host``,
    ``first_host``, ``hosts``, ``gpus`` (their list), ``chance``, or "" where nothing can be said."""
    if atom.kind == "variable":
        return _of_variable(atom.text)
    if atom.kind == "output":
        return _of_output(atom.text)
    if atom.kind == "count":
        inner = {meaning(one) for part in atom.parts for one in part}
        return "nodes" if inner == {"hosts"} else "gpus_per_node" if inner == {"gpus"} else ""
    if atom.kind == "changed" and atom.text.endswith("[0]"):
        inner = {meaning(one) for part in atom.parts for one in part}
        return "first_host" if inner == {"hosts"} else ""
    return ""


def _of_variable(name: str) -> str:
    if name in CHANCE:
        return "chance"
    if name in THIS_HOST:
        return "this_host"
    if name in HOSTS:
        return "hosts"
    if name in GPU_LISTS:
        return "gpus"
    return "job_id" if name in JOB_IDS else NUMBERS.get(name) or RANKS.get(name, "")


def _of_output(text: str) -> str:
    text = " ".join(text.split())
    if HOST_NAME.match(text):
        return "this_host"
    if NODE_LINES.match(text):
        return "tasks"
    if GPU_COUNT.match(text):
        return "gpus_per_node"
    if COUNT.search(text):
        return "nodes" if _all_hosts(COUNT.sub("", text)) else ""
    if any(pattern.match(text) for pattern in FIRST_HOST):
        return "first_host"
    if _all_hosts(text):
        return "hosts"
    return "chance" if RANDOM_OUTPUT.search(text) else ""


def _all_hosts(text: str) -> bool:
    return any(pattern.match(text) for pattern in ALL_HOSTS)


def number(value: Value | None, shape: Shape | None = None, depth: int = 0) -> int | None:
    """The number that a value is: a constant, one of the request's own, or arithmetic of them; else None."""
    if not value or depth > 30:
        return None
    text = constant(value)
    if text is not None:
        text = text.strip()
        return int(text) if re.fullmatch(r"\d{1,9}", text) else None
    if len(value) != 1:
        return None
    atom = value[0]
    if atom.kind == "arithmetic" and len(atom.parts) == 2:
        left, right = (number(part, shape, depth + 1) for part in atom.parts)
        if left is None or right is None:
            return None
        return calculated(atom.text, str(left), str(right))
    name = meaning(atom)
    if name in Shape.__dataclass_fields__:
        found = getattr(shape, name) if shape else None
        return found if found else None
    if atom.kind == "variable" and atom.parts and not atom.text.startswith(("SLURM_", "PBS_", "LSB_", "CUDA_")):
        return number(atom.parts[0], shape, depth + 1)
    return None


def host_kind(value: Value | None) -> str:
    """``local`` (this machine's loopback), ``this_host`` by each task for itself, ``fixed`` (the same for all), or "".

    The name of the machine that the batch shell puts in is ``fixed``: it is the first node's.
    """
    if not value:
        return ""
    text = constant(value)
    if text is not None:
        return "local" if LOCAL.match(text.strip()) else "fixed" if text.strip() else ""
    found = {(meaning(atom), atom.by) for atom in value if not atom.is_text}
    if len(value) == 1 and value[0].kind == "variable" and value[0].parts and ("this_host", TASK) not in found:
        return "" if meaning(value[0]) == "" else "fixed"
    if any(name == "this_host" and by == TASK for name, by in found):
        return "this_host"
    return "fixed" if all(name in ("this_host", "first_host", "hosts") for name, _ in found) else ""


def differs_per_task(value: Value | None) -> bool:
    """True where each task gets another value from chance or the clock, since it evaluates it for itself."""
    return any(atom.by == TASK and meaning(atom) == "chance" for atom in atoms(value or ()))


def ranks_expanded_early(value: Value | None) -> list[Atom]:
    """Variables of a task that the batch shell expands, where all of them are 0 or empty."""
    return [atom for atom in atoms(value or ()) if atom.kind == "variable" and atom.text in RANKS and atom.by != TASK]
