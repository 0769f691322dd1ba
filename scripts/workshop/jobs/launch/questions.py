"""What rules ask of a launch, beyond its numbers: what kind of program it is, on which GPUs, for which nodes."""

from __future__ import annotations

import re

from workshop.jobs.launch.meanings import RANKS, meaning, number
from workshop.jobs.launch.model import Launch, Layer, Shape
from workshop.jobs.launch.processes import TORCHRUN, agent_nodes, spread
from workshop.jobs.parts.values import TASK, Atom, Value, Word, atoms, constant

# Agents of PyTorch: each starts the processes of one node, and they meet at a rendezvous.
TORCH = (*TORCHRUN, "accelerate")
CALLED = {"accelerate": "accelerate launch", "tune": "tune run"}
# Programs that prepare, look or clean up: they train nothing and say nothing about how the training is started.
HELPERS = {
    "cat", "chmod", "cp", "date", "df", "du", "echo", "env", "find", "flock", "free", "hostname", "id", "ip", "kill",
    "ldd", "ln", "ls", "lscpu", "mkdir", "mv", "nproc", "numactl", "nvidia-smi", "printenv", "printf", "ps", "pwd",
    "rm", "rocm-smi", "rsync", "sbcast", "sleep", "ss", "stat", "sync", "tar", "tee", "test", "touch", "true", "uname",
    "unzip", "wget", "which", "whoami", "xz", "zstd",
}  # fmt: skip
TRAINS = re.compile(r"train|finetune|fine_tune|\bsft\b|\bddp\b", re.IGNORECASE)
# Words of a program that uses other devices than a GPU for each process.
OTHER_DEVICES = re.compile(
    r"\bgloo\b|(?:^|[-=_])cpus?$|tensor.?parallel|pipeline.?parallel|model.?parallel|device.?map|parallelize|vllm",
    re.IGNORECASE,
)
MPS = re.compile(r"\bnvidia-cuda-mps-(?:control|server)\b|\bCUDA_MPS_\w+")
GPU_FIELDS = ("gpus", "gpus_per_node", "gpus_per_task", "gres", "tres_per_task", "tasks_per_gpu")


def called(layer: Layer) -> str:
    """The name by which people know a launcher."""
    return CALLED.get(layer.name, layer.program.text.rpartition("/")[2] if layer.program.text else layer.name)


def is_helper(launch: Launch) -> bool:
    """True for ``srun hostname`` and the like, and for python that only looks (``-c``, ``-m pip``)."""
    python = launch.first("python")
    if python is not None and launch.agent is None:
        return not launch.is_training
    return launch.agent is None and launch.name in HELPERS


def is_wrapper(launch: Launch) -> bool:
    """True where what runs is a script of unknown content, or nothing that is known."""
    if launch.agent is not None or launch.first("python") is not None:
        return False
    return launch.opaque


def looks_like_training(launch: Launch) -> bool:
    """True for an agent, and for a program whose name says that it trains."""
    return launch.agent is not None or (launch.is_training and bool(TRAINS.search(launch.name)))


def on_other_devices(launch: Launch) -> bool:
    """True where the processes need no GPU each: on CPUs, or one model over several GPUs."""
    agent = launch.agent
    if agent is not None and (
        agent.has("cpu") or any("cpu" in one.spelling for one in agent.settings if not one.value)
    ):
        return True
    hidden = launch.environment.value("CUDA_VISIBLE_DEVICES")
    if hidden is not None and constant(hidden) in ("", "-1"):
        return True
    return any(OTHER_DEVICES.search(word.shown) for word in launch.program[1:])


def written(value: Value | None) -> bool:
    """True where a value is fixed by the script; a default that another value may replace (``${N:-2}``) is not."""
    return bool(value) and not any(atom.kind in ("variable", "argument", "loop") for atom in atoms(value))


def told_nodes(launch: Launch, shape: Shape) -> tuple[bool, int | None]:
    """Whether the agent is told a number of nodes, by options or PET_ variables, and that number (None = unknown)."""
    given, nodes = agent_nodes(launch, shape)
    agent = launch.agent
    if given or agent is None:
        return given, nodes
    if agent.name in TORCHRUN:
        value = launch.environment.value("PET_NNODES")
        if value is not None:
            return True, number(value, shape)
    return False, None


def told_one_node(launch: Launch, shape: Shape) -> bool:
    """True where the agent is for one node, by its options or since they say nothing else."""
    agent = launch.agent
    if agent is None or launch.open:
        return False
    given, nodes = told_nodes(launch, shape)
    if given:
        return nodes == 1
    if not agent.has("config_file"):
        return True
    # The file says how many machines there are; as many processes as one node has GPUs are meant for one.
    processes = agent.get("processes")
    total = number(processes.value, shape) if processes else None
    return total is not None and total <= (shape.gpus_per_node or 0)


def differs_by_node(launch: Launch, shape: Shape) -> bool:
    """True where each node's program gets words of its own: separate runs on purpose."""
    loop = spread(launch, shape).loop
    for atom in atoms(tuple(atom for word in launch.program for atom in word.atoms)):
        if atom.by == TASK and (atom.text in RANKS or meaning(atom) == "this_host"):
            return True
        if loop and atom.kind in ("loop", "unknown"):
            return True
    return False


# A condition that asks how large the job is.
SIZE = re.compile(r"N_?NODES|NUM_NODES|NTASKS|N_?PROCS?\b|GPU|WORLD_SIZE|NODELIST|NODEFILE|HOSTFILE", re.IGNORECASE)


def asks_for_size(launch: Launch) -> bool:
    """True in a branch for jobs of another size (``if [ $SLURM_NNODES -gt 1 ]``): it may be the one not taken."""
    return any(SIZE.search(condition) for condition in launch.marks.condition)


def by_turns(launch: Launch) -> bool:
    """True where GNU parallel or xargs starts the line, several times at once."""
    return any(layer.name in ("parallel", "xargs") for layer in launch.layers)


def decided_inside(launch: Launch) -> bool:
    """True where a condition inside the task, or inside a loop over hosts, decides whether the line runs."""
    outer = launch.command.marks
    return launch.marks.conditional and (not outer.conditional or outer.repeated)


def gpus_on_node(launch: Launch, shape: Shape) -> int | None:
    """GPUs of a node that a launch may use: those of its own options, else the job's; None = unknown."""
    layer = launch.spread
    if layer is None or layer.name != "srun" or not layer.has(*GPU_FIELDS):
        return shape.gpus_per_node
    given = [name for name in GPU_FIELDS if layer.has(name)]
    if len(given) > 1:
        return None
    found = spread(launch, shape)
    if given == ["gpus_per_node"]:
        return _amount(layer.get("gpus_per_node").value, shape)
    if given == ["gres"]:
        return _gres(layer.get("gres").text)
    if given == ["gpus_per_task"] and found.per_node is not None:
        each = _amount(layer.get("gpus_per_task").value, shape)
        return each * found.per_node if each is not None else None
    if given == ["gpus"] and found.nodes:
        total = _amount(layer.get("gpus").value, shape)
        return total // found.nodes if total is not None and total % found.nodes == 0 else None
    return None


def _amount(value: Value | None, shape: Shape) -> int | None:
    """``4``, ``a100:4``, or a number that is known otherwise."""
    text = constant(value) if value else None
    if text is not None and ":" in text:
        text = text.rpartition(":")[2]
        return int(text) if text.isdigit() else None
    return number(value, shape)


def _gres(text: str | None) -> int | None:
    match = re.fullmatch(r"(?:gres/)?gpu(?::[A-Za-z]\w*)?(?::(\d+))?", text or "")
    return int(match[1] or 1) if match else None


def most_tasks(launch: Launch, shape: Shape) -> int | None:
    """How many tasks a launch starts; in a loop over numbers (``for n in 1 2 4``) the most of any turn."""
    tasks = spread(launch, shape).tasks
    setting = launch.spread.get("tasks") if launch.spread is not None else None
    value = setting.value if setting is not None else None
    if tasks is not None or launch.marks.conditional or not value or len(value) != 1 or value[0].kind != "loop":
        return tasks
    turns = [number(part, shape) for part in value[0].parts]
    return max(turns) if turns and None not in turns else None


def early_ranks(word: Word) -> list[Atom]:
    """Slurm's numbers of a task that the batch shell puts in, where all of them are 0."""
    return [
        atom
        for atom in atoms(word.atoms)
        if atom.kind == "variable"
        and atom.text in ("SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID")
        and atom.by != TASK
    ]
