"""Who am I? Rank, world size, device and process group, from whatever started this process.

Copy this file into your own project: it needs the standard library and PyTorch, nothing else.

    me, device = launch.init()      # instead of reading RANK, SLURM_PROCID, OMPI_… yourself
    model = DistributedDataParallel(model.to(device))
    …
    launch.finish()

It understands torchrun, Open MPI, MPICH and Intel MPI (Hydra), MVAPICH2, Cray PALS, jsrun, flux,
srun, pbsdsh and blaunch; started by none of them it is a world of one process. It cannot see a
launcher whose variables were taken away (``srun … apptainer exec --cleanenv …``): each process then
believes to be alone. Run it by itself first on a new cluster, the way you will run your program:

    srun python launch.py           # prints what it sees, then tries one all-reduce

Where the variables are documented:
    torchrun  https://docs.pytorch.org/docs/stable/elastic/run.html#environment-variables
    Slurm     https://slurm.schedmd.com/srun.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES
    Open MPI  https://docs.open-mpi.org/en/main/tuning-apps/environment-var.html
    PALS      https://docs.alcf.anl.gov/polaris/running-jobs/
    flux      https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man7/flux-environment.html
    PBS       pbsdsh(1B), qsub(1B) of OpenPBS
"""

import argparse
import datetime
import os
import re
import socket
import sys
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

DEFAULT_TIMEOUT_S = 300
# Linux hands out ports 32768-60999 to outgoing connections (net.ipv4.ip_local_port_range): a fixed
# port in there can be taken at any moment. 20000-29999 lies below.
FIRST_PORT, PORTS = 20000, 10000
# Launchers that may stand around torchrun, or around a RANK exported by hand: number and count of their processes …
OUTER_RANKS = (
    ("JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    ("MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE"),
    ("FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
    ("PALS_RANKID", "PMI_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
)
# … and how many of them are on this node.
LOCAL_SIZES = (
    "JSM_NAMESPACE_LOCAL_SIZE",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "MV2_COMM_WORLD_LOCAL_SIZE",
    "MVP_COMM_WORLD_LOCAL_SIZE",
    "MPI_LOCALNRANKS",
    "PALS_LOCAL_SIZE",
    "PMI_LOCAL_SIZE",
)
# A number of this launch: all of its processes are given it, and those of another launch another one.
LAUNCH_NUMBERS = {
    "openmpi": "PMIX_NAMESPACE",
    "jsrun": "PMIX_NAMESPACE",
    "mpich": "I_MPI_HYDRA_UUID",  # Intel MPI; MPICH tells nothing of the kind
    "mvapich2": "MPIRUN_ID",
}
# Slurm's own step ids (batch script, salloc's shell, …) are the highest 32-bit numbers: no srun
# started those.
FIRST_SPECIAL_STEP = 0xFFFFFFF0


# By which variables a process is told its GPUs. PyTorch for AMD obeys the first one, too; Intel is not served here.
SHOWN_GPUS = ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK")


class LaunchError(SystemExit):
    """A launch that cannot work. A SystemExit, so that users read three lines and no traceback."""

    def __init__(self, saw: str, means: str, do: str):
        super().__init__(f"launch: I saw {saw}.\n  That means: {means}.\n  What to do: {do}")


@dataclass(frozen=True)
class Launch:
    """One process's place among all processes of a job."""

    launcher: str  # torchrun, environment, jsrun, openmpi, pals, mvapich2, flux, mpich, slurm, pbsdsh, blaunch or none
    rank: int = 0  # 0 … world_size - 1, unique in the job
    local_rank: int = 0  # 0 … local_world_size - 1, unique on the node
    world_size: int = 1  # processes in the job
    local_world_size: int = 1  # processes on this node
    node_count: int = 1
    master_addr: str = "127.0.0.1"  # the host of rank 0
    master_port: int = 0
    job_id: str = ""
    hint: str = ""  # what the user may have wanted instead
    # Which of the job's launches this is, the same text on all its ranks; empty where nobody tells.
    launch_id: str = field(default="", compare=False)


# ---------------------------------------------------------------------------------------------------
# Lists of hosts and counts, as schedulers write them


def expand_hosts(text: str) -> list[str]:
    """``"n[01-03,07],g1"`` -> ``["n01", "n02", "n03", "n07", "g1"]`` (what ``scontrol show hostnames`` does).

    Done here because containers often lack scontrol. Several brackets in a name are fine;
    ValueError if one is not closed.
    """
    if not re.fullmatch(r"(?:[^\[\]]|\[[^\[\]]+\])*", text):
        raise ValueError(f"cannot read the list of hosts {text!r}: brackets do not match")
    hosts = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        hosts += _expand_brackets(part.strip())
    return hosts


def _expand_brackets(name: str) -> list[str]:
    match = re.search(r"\[([^\]]+)\]", name)
    if not match:
        return [name] if name else []
    numbers = []
    for item in match[1].split(","):
        first, _, last = item.strip().partition("-")
        numbers += [f"{number:0{len(first)}d}" for number in range(int(first), int(last or first) + 1)]
    return [host for n in numbers for host in _expand_brackets(name[: match.start()] + n + name[match.end() :])]


def expand_counts(text: str) -> list[int]:
    """``"4(x2),3"`` -> ``[4, 4, 3]``: how Slurm writes tasks per node. ValueError on anything else."""
    counts = []
    for item in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:\(x(\d+)\))?\s*", item)
        if not match:
            raise ValueError(f"cannot read the counts {text!r}: expected something like 4(x2),3")
        counts += [int(match[1])] * int(match[2] or 1)
    return counts


def _counted_hosts(text: str) -> list[str]:
    """``"n1 2 n2 1"`` -> ``["n1", "n1", "n2"]``: how LSF writes the slots of its hosts. ValueError on anything else."""
    words = text.split()
    if len(words) % 2 or not all(number.isdigit() for number in words[1::2]):
        raise ValueError("expected hosts, each with a number: n1 2 n2 1")
    return [host for host, number in zip(words[::2], words[1::2], strict=True) for _ in range(int(number))]


def port_from_job_id(job_id: str) -> int:
    """A port for the rendezvous, the same on all ranks of a job and rarely shared by two jobs of a node.

    For a plain number this is ``20000 + id % 10000``, so that a job script can compute the same:
    ``MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))``. ``"11[2].head"`` and ``"11[3].head"`` (array
    elements) differ; a text without digits is hashed.
    """
    numbers = [int(digits) for digits in re.findall(r"\d+", job_id.split(".")[0])]
    seed = numbers[0] + 997 * sum(numbers[1:]) if numbers else zlib.crc32(job_id.encode())
    return FIRST_PORT + seed % PORTS


def is_loopback(host: str) -> bool:
    """True for a literal ``localhost``, ``127.*`` or ``::1``; not for names that resolve to one."""
    return host.lower().rstrip(".") in (
        "localhost",
        "localhost.localdomain",
        "ip6-localhost",
        "::1",
    ) or host.startswith("127.")


# ---------------------------------------------------------------------------------------------------
# Detection: environment -> Launch. Nothing here needs torch.


def detect(env: Mapping[str, str] | None = None) -> Launch:
    """Find this process's place from environment variables (and the host file that they name).

    The order matters. Launchers nest: mpirun inside a Slurm job starts its own helper with srun, so
    SLURM_PROCID is the helper's; the innermost launcher is asked first. Job variables alone
    (SLURM_NTASKS, PBS_NODENUM, LSB_JOBINDEX) are no launcher: a batch script, a notebook and
    salloc's shell have them too.

    Raises LaunchError where the variables contradict each other or miss something that cannot be
    guessed safely.
    """
    env = os.environ if env is None else env
    for reader in (
        _torchrun,
        _jsrun,
        _openmpi,
        _flux,
        _slurm_with_pmi,
        _pals,
        _mvapich2,
        _mpich,
        _pmix,
        _slurm,
        _cannot_serve,
        _pbsdsh,
        _blaunch,
    ):
        found = reader(env)
        if found:
            _check(found, env)
            return found
    return Launch("none", job_id=_job_id(env), hint=_hint(env))


def _int(env: Mapping[str, str], *names: str) -> int | None:
    """The first of these variables that is set, as a number."""
    for name in names:
        if env.get(name, "").strip():
            try:
                return int(env[name])
            except ValueError:
                raise LaunchError(f"{name}={env[name]!r}", "this should be a number", f"unset {name}") from None
    return None


def _torchrun(env):
    """torchrun, or somebody who sets the same variables by hand."""
    rank, world = _int(env, "RANK"), _int(env, "WORLD_SIZE")
    if rank is None:
        return None
    if world is None:
        raise LaunchError("RANK but no WORLD_SIZE", "half of what torchrun sets", "start with torchrun, or unset RANK")
    by_torchrun = "TORCHELASTIC_RUN_ID" in env
    local = _int(env, "LOCAL_RANK", *([] if by_torchrun else ["SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"]))
    # DeepSpeed's launcher calls it LOCAL_SIZE; who exports by hand often leaves it out.
    local_size = _int(env, "LOCAL_WORLD_SIZE", "LOCAL_SIZE") or (None if by_torchrun else _outer_local_size(env))
    if local is None and world > 1:
        raise LaunchError(
            f"RANK={rank} and WORLD_SIZE={world} but no LOCAL_RANK",
            "nobody says which device of its node this process should take",
            "let torchrun set all of them, or export LOCAL_RANK too",
        )
    found = Launch(
        "torchrun" if by_torchrun else "environment",
        rank,
        local or 0,
        world,
        local_size or 1,
        _int(env, "GROUP_WORLD_SIZE") or (-(-world // local_size) if local_size else len(_hosts(env)) or 1),
        job_id=_job_id(env),
        launch_id=f"torchrun-{env['TORCHELASTIC_RUN_ID']}" if by_torchrun else "",
    )
    return _with_master(found, env)


def _jsrun(env):
    """IBM's jsrun (JSM). It also sets Open MPI's variables, so it is asked first."""
    rank = _int(env, "JSM_NAMESPACE_RANK")
    if rank is None:
        return None
    hosts = _lines(env.get("LSB_DJOB_RANKFILE")) or _hosts(env)
    # jsrun keeps the first host, where the job script runs, for itself: no rank is there.
    hosts = list(dict.fromkeys(hosts))[1:] or hosts
    names = ("JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK")
    return _mpi_like(env, "jsrun", *names, ("JSM_NAMESPACE_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"), hosts)


def _openmpi(env):
    """Open MPI's mpirun, and others that set its variables."""
    names = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK")
    return _mpi_like(env, "openmpi", *names, ("OMPI_COMM_WORLD_LOCAL_SIZE",))


def _flux(env):
    """flux run. The variables of PMI, and of an outer Slurm in which flux itself was started, are not asked."""
    rank, world = _int(env, "FLUX_TASK_RANK"), _int(env, "FLUX_JOB_SIZE")
    if rank is None or world is None:
        return None
    job, nodes = env.get("FLUX_JOB_ID", ""), min(_int(env, "FLUX_JOB_NNODES") or 1, world)
    found = Launch(
        "flux", rank, _int(env, "FLUX_TASK_LOCAL_ID") or 0, world, _flux_local_size(env) or 1, nodes, job_id=job
    )
    # The list of hosts is that of the job in which flux was started: rank 0 may be on any of them.
    return _with_master(replace(found, launch_id=_launch_id("flux", job)), env, hosts=[])


def _flux_local_size(env) -> int | None:
    """Processes of flux on the fullest node: it tells no node's own number."""
    size, nodes = _int(env, "FLUX_JOB_SIZE"), _int(env, "FLUX_JOB_NNODES")
    return -(-size // nodes) if size and nodes and "FLUX_TASK_RANK" in env else None


def _pals(env):
    """Cray's mpiexec (PALS). Where no variable has the size, it is nodes of the job x processes per node."""
    rank, local_size = _int(env, "PALS_RANKID"), _int(env, "PALS_LOCAL_SIZE", "PMI_LOCAL_SIZE")
    if rank is None:
        return None
    nodes = len(set(_hosts(env)))
    told = _int(env, "PMI_SIZE", "PALS_SIZE", "WORLD_SIZE")
    world = told or (nodes * local_size if nodes and local_size else None)
    # Counted from a node that has fewer processes than others, the size is too small.
    if world is None or (told is None and rank >= world):
        raise LaunchError(
            f"PALS_RANKID={rank} but no PMI_SIZE, and no size that nodes (PBS_NODEFILE) x PALS_LOCAL_SIZE could give",
            "mpiexec started this process but does not say how many there are",
            "pass the number on: mpiexec -n 8 --ppn 4 --env WORLD_SIZE=8 python …",
        )
    local = _int(env, "PALS_LOCAL_RANKID", "PMI_LOCAL_RANK")
    if local is None:
        raise LaunchError(f"PALS_RANKID={rank} but no PALS_LOCAL_RANKID", "the device cannot be chosen", "use torchrun")
    size = local_size or 1
    nodes = 1 if size == world else nodes or -(-world // size)
    found = Launch("pals", rank, local, world, size, nodes, job_id=_job_id(env))
    return _with_master(replace(found, launch_id=_launch_id("pals", env.get("PALS_APID"))), env)


def _slurm_with_pmi(env):
    """srun --mpi=pmi2, pmix or cray_shasta: they speak of the same rank, and Slurm knows the local one."""
    pmi = _int(env, "PMI_RANK", "PMIX_RANK", "PALS_RANKID")
    if pmi is not None and _is_slurm_step(env) and pmi == _int(env, "SLURM_PROCID"):
        hydra = _int(env, "MPI_LOCALRANKID") is not None
        return None if hydra else _slurm(env)
    return None


def _mvapich2(env):
    """MVAPICH2's mpirun_rsh, and that of MVAPICH 3 and later, with another prefix."""
    for prefix in ("MV2_COMM_WORLD", "MVP_COMM_WORLD"):
        names = (f"{prefix}_RANK", f"{prefix}_SIZE", f"{prefix}_LOCAL_RANK")
        if found := _mpi_like(env, "mvapich2", *names, (f"{prefix}_LOCAL_SIZE",)):
            return found
    return None


def _mpich(env):
    """MPICH, Intel MPI and other children of Hydra."""
    if _int(env, "PMI_RANK") is None:
        return None
    return _mpi_like(env, "mpich", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", ("MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"))


def _pmix(env):
    """PMIx alone numbers the ranks and says nothing else."""
    rank = _int(env, "PMIX_RANK")
    if rank is None:
        return None
    raise LaunchError(
        f"PMIX_RANK={rank} but no size and no local rank (no OMPI_COMM_WORLD_…, PMI_… or SLURM_… of a step)",
        "a PMIx launcher started this process and only says its number",
        "start with srun, Open MPI's mpirun or torchrun, or export RANK, WORLD_SIZE and LOCAL_RANK yourself",
    )


def _cannot_serve(env):
    """Launchers that number their processes and do not say how many there are: not a world of one."""
    mvapich = [(f"{prefix}_COMM_WORLD_LOCAL_RANK", "MVAPICH's mpirun_rsh") for prefix in ("MV2", "MVP")]
    for name, launcher in (("ALPS_APP_PE", "aprun (ALPS)"), ("MPT_LRANK", "HPE MPT"), *mvapich):
        if _int(env, name) is not None:
            raise LaunchError(
                f"{name}={env[name]} ({launcher}) and no number of processes",
                f"{launcher} started this process, and its variables are too few to build a group from",
                "let it start one torchrun on each node, or export RANK, WORLD_SIZE and LOCAL_RANK for each process",
            )
    return None


def _mpi_like(env, launcher, rank_name, size_name, local_name, local_size_names, hosts=None):
    rank, world = _int(env, rank_name), _int(env, size_name)
    if rank is None:
        return None
    # Inside Slurm mpirun starts its helpers with srun, on the other nodes only: their step is not the job.
    hosts = hosts or _job_hosts(env)
    local = _int(env, local_name, "PMI_LOCAL_RANK", "MPI_LOCALRANKID")
    local_size = _int(env, *local_size_names)
    if world is None or (local is None and world > 1):
        raise LaunchError(
            f"{rank_name}={rank} but no {size_name if world is None else local_name}",
            f"{launcher} started this process but says only half",
            "start with torchrun, or export RANK, WORLD_SIZE and LOCAL_RANK for each process",
        )
    size = local_size or 1
    nodes = 1 if size == world else len(set(hosts)) or -(-world // size)
    # Open MPI may use fewer nodes than the job has (three ranks a node fit on one of two).
    nodes = min(nodes, world)
    found = Launch(launcher, rank, local or 0, world, size, nodes, job_id=_job_id(env))
    number = env.get(LAUNCH_NUMBERS[launcher])
    return _with_master(replace(found, launch_id=_launch_id(launcher, number)), env, hosts)


def _launch_id(launcher: str, number: str | None) -> str:
    """A text for ``Launch.launch_id`` from a number that all ranks of this launch are given, and no others."""
    return f"{launcher}-{number}" if number else ""


def _is_slurm_step(env) -> bool:
    """True where srun started this process; false in a batch script, a notebook and salloc's shell."""
    step = _int(env, "SLURM_STEP_ID", "SLURM_STEPID")
    return step is not None and 0 <= step < FIRST_SPECIAL_STEP and bool(env.get("SLURM_PROCID"))


def _is_shell_at_a_terminal(env) -> bool:
    """True in the shell of ``srun --pty bash``: of its tasks only the first got a terminal, the others have ended.

    SLURM_PTY_PORT alone does not say so: the shell's own sruns inherit it.
    """
    return "SLURM_PTY_PORT" in env and sys.stdin is not None and sys.stdin.isatty()


def _slurm(env):
    """A task of srun. The step's own counts are used: the job's (SLURM_NTASKS) may be larger."""
    world = _int(env, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS") or 1
    if not _is_slurm_step(env) or (world > 1 and _is_shell_at_a_terminal(env)):
        return None
    rank, local = _int(env, "SLURM_PROCID"), _int(env, "SLURM_LOCALID") or 0
    nodes = _int(env, "SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES", "SLURM_NNODES") or 1
    local_size = _step_local_size(env) or world
    step = env.get("SLURM_STEP_ID") or env.get("SLURM_STEPID")
    found = Launch("slurm", rank, local, world, local_size, nodes, job_id=_job_id(env))
    return _with_master(replace(found, launch_id=f"slurm-{found.job_id}.{step}"), env)


def _step_local_size(env) -> int | None:
    """How many tasks of this step run on this node."""
    for name in ("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"):
        if env.get(name):
            counts, node = _read(expand_counts, name, env), _int(env, "SLURM_NODEID") or 0
            return counts[node] if node < len(counts) else counts[-1]
    return None


def _outer_local_size(env) -> int | None:
    """How many processes on this node srun or mpirun started, where torchrun or somebody's RANK stands inside."""
    sizes = [_int(env, name) for name in LOCAL_SIZES]
    if _is_slurm_step(env) and not _is_shell_at_a_terminal(env):
        sizes.append(_step_local_size(env))
    if flux := _flux_local_size(env):
        sizes.append(flux)
    # mpirun inside Slurm starts one helper a node by srun: the larger number is that of the processes.
    return max((size for size in sizes if size), default=None)


def _read(expand, name: str, env):
    """``expand(env[name])``; LaunchError where the text of the variable cannot be read."""
    try:
        return expand(env[name])
    except ValueError as error:
        raise LaunchError(
            f"{name}={env[name]!r}", str(error), f"unset {name}, or start in a job whose variables are whole"
        ) from None


def _pbsdsh(env):
    """pbsdsh: no rank, but a number of the node. It serves with one process a node, or to start torchruns."""
    task = env.get("PBS_TASKNUM", "1").lstrip("0") or "0"
    if "PBS_JOBID" not in env or task in ("0", "1"):  # task 1 is the job script itself
        return None
    rank, hosts = _int(env, "PBS_NODENUM") or 0, _hosts(env)
    world = _int(env, "WORLD_SIZE") or len(hosts) or None
    if world is None or len(set(hosts)) < len(hosts):
        raise LaunchError(
            f"PBS_TASKNUM={env['PBS_TASKNUM']}, PBS_NODENUM={rank} and no rank"
            + (" (several tasks on one node)" if hosts else ", no PBS_NODEFILE"),
            "pbsdsh started this process; it numbers nodes, not processes, and may hide the node file",
            "ask for mpiprocs=1 and give the rest: pbsdsh -- env WORLD_SIZE=2 "
            'MASTER_ADDR="$(head -n 1 "$PBS_NODEFILE")" "$(which python)" "$PWD/program.py"',
        )
    found = Launch("pbsdsh", rank, 0, world, 1, world, job_id=_job_id(env))
    return _with_master(replace(found, launch_id=f"pbsdsh-{found.job_id}"), env)


def _blaunch(env):
    """LSF's blaunch: LSF_PM_TASKID counts tasks from 1. One process a host is assumed and checked."""
    task = _int(env, "LSF_PM_TASKID")
    if task is None or "LSB_JOBID" not in env or task < 1:
        return None
    hosts = list(dict.fromkeys(_hosts(env)))
    world = _int(env, "WORLD_SIZE") or len(hosts)
    if task > world:
        raise LaunchError(
            f"LSF_PM_TASKID={task} on {world} host(s)",
            "blaunch started more than one process on a host, and gives no local rank",
            'start one torchrun on each host: blaunch -z "$hosts" torchrun …',
        )
    found = Launch("blaunch", task - 1, 0, world, 1, world, job_id=_job_id(env))
    return _with_master(replace(found, launch_id=f"blaunch-{found.job_id}"), env)


def _job_id(env) -> str:
    """The job's id; array elements get different ones."""
    if env.get("LSB_JOBID"):
        index = env.get("LSB_JOBINDEX", "0")
        return env["LSB_JOBID"] if index in ("", "0") else f"{env['LSB_JOBID']}[{index}]"
    # The components of a heterogeneous job have ids of their own; all know the first one's.
    for name in ("SLURM_JOB_ID_HET_GROUP_0", "SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID"):
        if env.get(name):
            return env[name]
    return ""


def _lines(path: str | None) -> list[str]:
    """First words of the lines of a host file; empty if this node does not have the file."""
    try:
        with open(path or "", encoding="utf-8") as file:
            return [line.split()[0] for line in file if line.split()]
    except OSError:
        return []


def _hosts(env) -> list[str]:
    """The hosts of the step, where srun started this process, or of the job, in the scheduler's order."""
    if _is_slurm_step(env) and env.get("SLURM_STEP_NODELIST"):
        return _read(expand_hosts, "SLURM_STEP_NODELIST", env)
    return _job_hosts(env)


def _job_hosts(env) -> list[str]:
    """The hosts of the job in the scheduler's order (PBS and LSF: one entry for each process or slot)."""
    for name in ("SLURM_JOB_NODELIST", "SLURM_NODELIST"):
        if env.get(name):
            return _read(expand_hosts, name, env)
    if hosts := _lines(env.get("PBS_NODEFILE")) or _lines(env.get("LSB_DJOB_HOSTFILE")):
        return hosts
    if env.get("LSB_MCPU_HOSTS"):
        return _read(_counted_hosts, "LSB_MCPU_HOSTS", env)
    return env.get("LSB_HOSTS", "").split()


def _with_master(found: Launch, env, hosts: list[str] | None = None) -> Launch:
    """Add address and port of rank 0: the user's, else the job's first host and a port from the job's id."""
    addr, port = env.get("MASTER_ADDR", "").strip(), _int(env, "MASTER_PORT")
    if port is not None and not 0 < port < 65536:
        raise LaunchError(
            f"MASTER_PORT={port}",
            "that is no port on which all ranks could meet: ports go from 1 to 65535",
            f"unset it (one is made from the job's id), or export MASTER_PORT={FIRST_PORT + port % PORTS}",
        )
    if not addr and found.node_count == 1:
        addr = "127.0.0.1"
    hosts = _hosts(env) if hosts is None else hosts
    addr = addr or (hosts[0] if hosts else "")
    if not addr:
        raise LaunchError(
            f"rank {found.rank} of {found.world_size} ({found.launcher}) on {found.node_count} nodes, "
            "but no MASTER_ADDR and no list of hosts",
            "it cannot know where rank 0 is (mpirun over ssh does not pass the scheduler's variables on)",
            'pass it: mpirun -x MASTER_ADDR="$(head -n 1 "$PBS_NODEFILE")" -x MASTER_PORT=… … '
            "(MPICH and Intel MPI: -genv MASTER_ADDR …; flux: --env=MASTER_ADDR=…)",
        )
    if port is None:
        if not found.job_id and found.node_count > 1:
            raise LaunchError(
                f"{found.node_count} nodes ({found.launcher}) but no MASTER_PORT and no job id",
                "the nodes cannot agree on a port by themselves",
                "pass the same one to all: mpirun -x MASTER_PORT=29400 …",
            )
        # No job, one node: mpirun's own number of this run, or at least another port for each user.
        port = _own_port(found, env)
    return replace(found, master_addr=addr, master_port=port)


def _own_port(found: Launch, env) -> int:
    """A port for this launch: the job's, moved on for each further launch of the job, and for ids beyond 10000.

    Steps of srun are numbered from 0; the other launchers' marks are hashed.
    """
    port = port_from_job_id(found.job_id or found.launch_id or env.get("USER", "nobody"))
    number = re.match(r"\d+", found.job_id)
    moved = 7 * (int(number[0]) // PORTS) if number else 0
    if found.launcher == "slurm":
        moved += 101 * (_int(env, "SLURM_STEP_ID", "SLURM_STEPID") or 0)
    elif found.job_id and found.launch_id and found.launcher in (*LAUNCH_NUMBERS, "pals"):
        moved += zlib.crc32(found.launch_id.encode())
    return FIRST_PORT + (port - FIRST_PORT + moved) % PORTS


def _check(found: Launch, env) -> None:
    """Refuse what would hang or silently train the wrong thing."""
    if not 0 <= found.rank < found.world_size or found.local_rank < 0:
        raise LaunchError(
            f"rank {found.rank} of {found.world_size}, local rank {found.local_rank} ({found.launcher})",
            "the variables contradict each other",
            "look for a leftover in the job script: env | grep -E 'RANK|SIZE|PROCID'",
        )
    if found.local_rank >= found.local_world_size > 1:
        raise LaunchError(
            f"local rank {found.local_rank} of {found.local_world_size} on this node ({found.launcher})",
            "LOCAL_RANK and LOCAL_WORLD_SIZE contradict each other",
            "look for a leftover in the job script: env | grep LOCAL",
        )
    if found.node_count > 1 and is_loopback(found.master_addr) and found.launcher != "torchrun":
        # torchrun announces its own name; init() tests that one by connecting to it.
        raise LaunchError(
            f"MASTER_ADDR={found.master_addr} and {found.node_count} nodes",
            "every node would wait for a rank 0 of its own",
            "unset MASTER_ADDR (the first host of the job is then taken), or export that host's name",
        )
    if found.launcher == "environment":
        _check_by_hand(found, env)
    if found.launcher == "torchrun":
        _check_one_agent_per_node(env)


def _outer(env) -> tuple[int, int | None] | None:
    """Number and count of the processes that srun or mpirun started; None where neither did."""
    for rank, size in OUTER_RANKS:
        if _int(env, rank) is not None:
            return _int(env, rank), _int(env, size)
    if _is_slurm_step(env) and not _is_shell_at_a_terminal(env):
        return _int(env, "SLURM_PROCID"), _int(env, "SLURM_STEP_NUM_TASKS")
    return None


def _check_by_hand(found: Launch, env) -> None:
    """RANK exported once in a job script is the same for all tasks."""
    if (outer := _outer(env)) is None:
        return
    number, count = outer
    if _outer_local_size(env) == 1 and (_int(env, "LOCAL_WORLD_SIZE", "LOCAL_SIZE") or 1) > 1:
        return  # one task a node, inside which another launcher (DeepSpeed's, say) started the processes
    if number != found.rank:
        raise LaunchError(
            f"RANK={found.rank}, but the launcher says that this is process {number}",
            "RANK was exported once for all processes, so several of them believe to be the same one",
            "delete RANK, LOCAL_RANK and WORLD_SIZE from the job script: the launcher is asked anyway",
        )
    if count is not None and count != found.world_size:
        raise LaunchError(
            f"WORLD_SIZE={found.world_size}, but the launcher started {count} processes",
            "the group would wait for processes that nobody starts, or leave some out",
            "delete WORLD_SIZE and RANK from the job script: the launcher is asked anyway",
        )


def _check_one_agent_per_node(env) -> None:
    """One torchrun starts all processes of its node: four of them mean 16 processes on four GPUs."""
    agents = _outer_local_size(env) or 1
    if agents > 1:
        raise LaunchError(
            f"{agents} torchruns on this node (srun or mpirun started {agents} tasks a node)",
            "each torchrun starts all processes of the node, so they take each other's devices and places",
            "one task a node with torchrun (--ntasks-per-node=1), or no torchrun: srun python …",
        )


def _hint(env) -> str:
    """What a user may have wanted where no launcher is seen but the job is larger than one process."""
    tasks = _int(env, "SLURM_NTASKS", "SLURM_NPROCS") or 1
    if _is_slurm_step(env):
        return (
            f"this is the interactive shell of a step of {_int(env, 'SLURM_STEP_NUM_TASKS')} tasks, of which only this "
            "one got the terminal: use 'torchrun --standalone --nproc-per-node=… program.py'"
        )
    if env.get("SLURM_JOB_ID") and max(tasks, _int(env, "SLURM_JOB_NUM_NODES", "SLURM_NNODES") or 1) > 1:
        return f"this Slurm job has {tasks} tasks, but srun did not start this process: use 'srun python …'"
    hosts = _hosts(env)
    if env.get("PBS_JOBID") and len(hosts) > 1:
        return f"this PBS job has {len(hosts)} places, but no launcher started this one: use torchrun or mpirun"
    # LSF's slots are cores: several on one host may well be meant for one process.
    if env.get("LSB_JOBID") and len(set(hosts)) > 1:
        hosts = len(set(hosts))
        return f"this LSF job has {hosts} hosts, but no launcher started this one: use blaunch, torchrun or mpirun"
    return ""


# ---------------------------------------------------------------------------------------------------
# Start and end: device, backend, process group


def pick_device(me: Launch):
    """The torch.device of this process: the visible GPU with its local rank's number, or the CPU.

    A scheduler that binds one GPU to each task shows it just that one, which then has number 0. Never set
    CUDA_VISIBLE_DEVICES yourself in a job. Raises LaunchError where there are more processes than GPUs;
    init() finds processes that were shown the same GPU.
    """
    import torch

    visible = torch.cuda.device_count()
    if visible == 0:
        return torch.device("cpu")
    shown = shown_gpus(os.environ)
    if me.local_rank >= visible == 1 and "=MIG-" in shown:
        raise LaunchError(
            f"local rank {me.local_rank} on a node with slices of GPUs ({shown})",
            "CUDA shows a process one slice (MIG instance) only, so one torchrun cannot serve two of them",
            "ask for whole GPUs, or start one process a slice with srun and --gpus-per-task=1",
        )
    bound_by_scheduler = visible == 1 and me.launcher not in ("torchrun", "environment")
    if me.local_rank >= visible and not bound_by_scheduler:
        raise LaunchError(
            f"local rank {me.local_rank} on a node where {visible} GPU(s) are visible ({shown})",
            "there are more processes than GPUs on this node",
            f"start {visible} a node (torchrun --nproc-per-node {visible}, srun --ntasks-per-node={visible})",
        )
    return torch.device("cuda", 0 if bound_by_scheduler else me.local_rank)


def shown_gpus(env: Mapping[str, str]) -> str:
    """``"CUDA_VISIBLE_DEVICES=0,1"``; where that is not set, the variables of AMD's and Intel's GPUs that are.

    Slurm may set all of them, whatever GPUs the node has.
    """
    found = [f"{name}={env[name]}" for name in SHOWN_GPUS if name in env]
    return found[0] if found and SHOWN_GPUS[0] in env else " ".join(found) or f"{SHOWN_GPUS[0]}=unset"


def intel_gpus() -> int:
    """How many of Intel's GPUs this PyTorch can use. launch.py leaves them alone: it was never tried on any."""
    import torch

    return torch.xpu.device_count() if hasattr(torch, "xpu") and torch.xpu.is_available() else 0


def why_no_gpu(env: Mapping[str, str] | None = None, intel: int | None = None) -> str:
    """``"no GPU is visible"``, and the reason where it can be told; ``intel``: else intel_gpus() is asked."""
    import torch

    env = os.environ if env is None else env
    if intel := intel_gpus() if intel is None else intel:
        return f"{intel} Intel GPU(s) are here, which launch.py does not serve: device xpu, backend xccl"
    visible = env.get("CUDA_VISIBLE_DEVICES")
    for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        if visible is None and env.get(name) and not torch.version.hip:
            return f"no GPU is visible: {name}={env[name]}, but this PyTorch was built without ROCm"
    if visible is not None and visible.strip() in ("", "-1", "NoDevFiles"):
        return "no GPU is visible: CUDA_VISIBLE_DEVICES hides them all"
    if visible and not torch.backends.cuda.is_built():
        return f"no GPU is visible: CUDA_VISIBLE_DEVICES={visible}, but this PyTorch was built without CUDA"
    if visible:
        return f"no GPU is visible: CUDA_VISIBLE_DEVICES={visible}, but the driver shows none"
    return "no GPU is visible"


def first_line(me: Launch, device) -> str:
    """``backend=gloo world_size=2 device=cpu (no GPU is visible)``: what a program should print first."""
    import torch

    name = torch.cuda.get_device_name(device) if device.type == "cuda" else why_no_gpu()
    return f"backend={backend_for(device)} world_size={me.world_size} device={device} ({name})"


def backend_for(device) -> str:
    """NCCL moves data between GPUs (AMD's RCCL has its name, as AMD's GPUs are called cuda); Gloo between CPUs."""
    return "nccl" if device.type == "cuda" else "gloo"


def card_of(device) -> str:
    """A text that two processes share only if they have the same GPU: host and identity of the card; "" on CPUs."""
    import torch

    if device.type != "cuda":
        return ""
    shown = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
    # A slice of a GPU has the identity of its card: its own name is in the variable.
    slice_name = shown[0] if shown[0].startswith("MIG-") else ""
    identity = getattr(torch.cuda.get_device_properties(device), "uuid", None)  # torch ≥ 2.4
    if not (slice_name or identity):
        return ""
    return f"{socket.gethostname()} {slice_name or identity}"


def init(timeout_s: float = DEFAULT_TIMEOUT_S, me: Launch | None = None):
    """Join the process group; returns ``(Launch, torch.device)``.

    ``timeout_s`` limits the wait for the other ranks here and in every collective later.
    Raises LaunchError, which names the ranks that did not come.
    """
    import torch
    import torch.distributed as dist

    me = me or detect()
    device = pick_device(me)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    if me.hint and me.rank == 0:
        print(f"launch: {me.hint}", file=sys.stderr, flush=True)
    timeout = datetime.timedelta(seconds=timeout_s)
    store = _meet(me, backend_for(device), card_of(device), timeout)
    watchdog = _end_after(timeout_s, me)
    dist.init_process_group(
        backend_for(device),
        store=store,
        rank=me.rank,
        world_size=me.world_size,
        timeout=timeout,
        device_id=device if device.type == "cuda" else None,
    )
    watchdog.cancel()
    sys.excepthook = _failure_report(me, store)
    return me, device


def _end_after(seconds: float, me: Launch) -> threading.Timer:
    """End this process with a message unless the timer is cancelled within ``seconds``.

    Gloo does not keep our time limit while it connects the ranks with one another: it was seen to wait five minutes.
    """

    def end() -> None:
        message = LaunchError(
            f"all {me.world_size} ranks at {me.master_addr}:{me.master_port}, but no connection between them"
            f" within {seconds:.0f} s",
            "the ranks reach rank 0, but not one another: another network interface, or a firewall between nodes",
            "name the interface that the nodes share (see ip addr): export GLOO_SOCKET_IFNAME=… NCCL_SOCKET_IFNAME=…",
        )
        print(message, file=sys.stderr, flush=True)
        os._exit(1)  # the main thread is inside the library and would not see an exception

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def finish() -> None:
    """Leave together: rank 0 keeps the meeting point open until everybody is done."""
    import torch.distributed as dist

    if dist.is_initialized():
        dist.barrier()
        dist.destroy_process_group()


def _meet(me: Launch, backend: str, card: str, timeout):
    """Connect to the store of rank 0 (under torchrun: of its agent) and wait until all ranks came.

    ``backend`` and ``card`` (see card_of) are compared over the ranks.
    """
    import torch.distributed as dist

    if me.launcher == "none":
        return dist.HashStore()
    _check_master(me)
    agent_has_store = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True" and me.launcher == "torchrun"
    deadline = time.monotonic() + timeout.total_seconds()
    try:
        store = dist.TCPStore(
            me.master_addr,
            me.master_port,
            me.world_size,
            is_master=me.rank == 0 and not agent_has_store,
            timeout=timeout,
            wait_for_workers=False,
        )
    except RuntimeError as error:
        raise _no_store(me, timeout, error) from None
    # Two launches may come to the same port (two steps of a job, two jobs on a node, a fixed MASTER_PORT):
    # each sees the keys of its own only. A restarted attempt must not read those of the one that failed.
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") if me.launcher == "torchrun" else "0"
    store = dist.PrefixStore(f"launch/{me.launch_id or me.launcher}/attempt_{attempt}", store)
    everyone = [f"rank/{rank}" for rank in range(me.world_size)]
    try:
        # Where launches have no names of their own, another one's process may have taken this place.
        if store.add(f"places/{me.rank}", 1) > 1 and not agent_has_store:
            raise LaunchError(
                f"rank {me.rank} a second time at {me.master_addr}:{me.master_port}",
                "another launch has come to the same port, or RANK was exported once for several processes",
                f"start each launch with a port of its own: export MASTER_PORT={_next_port(me.master_port)}",
            )
        store.set(everyone[me.rank], f"{backend}\n{card}")
        store.wait(everyone, datetime.timedelta(seconds=max(1.0, deadline - time.monotonic())))
        told = [value.decode().split("\n") for value in store.multi_get(everyone)]
    except RuntimeError:
        raise _not_all_came(me, store, everyone, timeout) from None
    _check_backends_and_cards(told)
    return store


def _not_all_came(me: Launch, store, everyone: list[str], timeout) -> LaunchError:
    """The error for a group that is not complete; who is missing is only known while rank 0's store lives."""
    where, seconds = f"{me.master_addr}:{me.master_port}", f"{timeout.total_seconds():.0f} s"
    try:
        absent = [rank for rank, key in enumerate(everyone) if not store.check([key])]
    except RuntimeError:
        return LaunchError(
            f"that rank 0 at {where} has gone, while rank {me.rank} waited for the others",
            "rank 0 gave up: another rank did not come, or something failed there",
            "read the log of rank 0",
        )
    return LaunchError(
        f"{me.world_size - len(absent)} of {me.world_size} ranks within {seconds}; "
        f"missing: {', '.join(map(str, absent))}",
        f"those processes were not started, died early, or cannot reach {where} ({me.launcher})",
        "look for the first error of a missing rank; try 'python launch.py' under the same launcher",
    )


def _check_backends_and_cards(told: list[list[str]]) -> None:
    """Refuse ranks with and without GPUs in one group, and two ranks on one GPU. ``told``: backend and card by rank."""
    if len({backend for backend, _ in told}) > 1:
        raise LaunchError(
            "a GPU on some ranks and none on others",
            "they cannot be in one process group",
            "ask for the same GPUs on all nodes, and see with 'nvidia-smi -L' which node has none",
        )
    first_with: dict[str, int] = {}
    for rank, (_, card) in enumerate(told):
        if card and (other := first_with.setdefault(card, rank)) != rank:
            raise LaunchError(
                f"ranks {other} and {rank} with the same GPU ({card})",
                "the job has fewer GPUs on this node than processes, and each was shown the same ones",
                "ask for a GPU for each process (Slurm: --gpus-per-task=1 or --gpus-per-node), or start fewer",
            )


def _check_master(me: Launch) -> None:
    """Rank 0 must be where MASTER_ADDR points; a loopback name from torchrun must lead to its agent."""
    if me.launcher == "torchrun":
        if me.node_count > 1 and is_loopback(me.master_addr):
            try:
                socket.create_connection((me.master_addr, me.master_port), timeout=5).close()
            except OSError:
                raise LaunchError(
                    f"MASTER_ADDR={me.master_addr} on {me.node_count} nodes, and nobody listens there",
                    "the first node's torchrun took 'localhost' for its own name (see /etc/hosts there)",
                    'tell it: torchrun --local-addr "$(hostname)" …',
                ) from None
        return
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(me.master_addr, None, type=socket.SOCK_STREAM)}
    except OSError as error:
        raise LaunchError(
            f"MASTER_ADDR={me.master_addr}, which {socket.gethostname()} cannot resolve ({error})",
            "the name is wrong, or only the scheduler knows it",
            f"try 'getent hosts {me.master_addr}' on a compute node; use the address instead of the name",
        ) from None
    if me.rank == 0 and not any(_is_mine(address) for address in addresses):
        raise LaunchError(
            f"rank 0 on {socket.gethostname()}, but MASTER_ADDR={me.master_addr} is another machine",
            "the others would look for rank 0 in the wrong place",
            "export the name of rank 0's node as MASTER_ADDR, or let rank 0 run on the first host of the job",
        )


def _is_mine(address: str) -> bool:
    """Only an address of this machine can be bound."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def _next_port(port: int) -> int:
    return FIRST_PORT + (port + 1) % PORTS


def _no_store(me: Launch, timeout, error) -> LaunchError:
    reason = str(error).splitlines()[0][:160]
    where = f"{me.master_addr}:{me.master_port}"
    if me.rank == 0:
        return LaunchError(
            f"that rank 0 cannot listen on {where} ({reason})",
            "another program has this port",
            f"choose another for all ranks: export MASTER_PORT={_next_port(me.master_port)}",
        )
    return LaunchError(
        f"no answer from rank 0 at {where} within {timeout.total_seconds():.0f} s ({reason})",
        "rank 0 was not started or died, or a firewall is between the nodes",
        "read the log of rank 0; try 'python launch.py' under the same launcher on two nodes",
    )


def _failure_report(me: Launch, store):
    """An excepthook that says which rank stopped, which ones are silent, and ends the process.

    A collective that fails only says "connection closed": somebody else died. Every rank that still
    can leaves a word in the store; the silent ones are the ones to look for.
    """
    previous = sys.excepthook

    def hook(kind, error, trace):
        previous(kind, error, trace)
        host = socket.gethostname()
        print(f"launch: rank {me.rank} of {me.world_size} on {host} stopped: {kind.__name__}", file=sys.stderr)
        try:
            store.set(f"stopped/{me.rank}", kind.__name__)
            time.sleep(3)  # the others notice within moments
            silent = [r for r in range(me.world_size) if not store.check([f"stopped/{r}"])]
            if silent:
                silent_ranks = ", ".join(map(str, silent))
                print(f"launch: no word from rank {silent_ranks}: killed, or hanging", file=sys.stderr)
        except Exception:
            print("launch: no word from rank 0, which keeps the list: killed, or gone first", file=sys.stderr)
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(1)  # an orderly exit could wait for the dead rank

    return hook


# ---------------------------------------------------------------------------------------------------
# python launch.py


def diagnosis(me: Launch, env: Mapping[str, str] | None = None) -> str:
    """What this process sees, one fact a line."""
    env = os.environ if env is None else env
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rows = {
        "launcher": me.launcher + (f" (job {me.job_id})" if me.job_id else ""),
        "rank": f"{me.rank} of {me.world_size}",
        "local rank": f"{me.local_rank} of {me.local_world_size} on {socket.gethostname()}",
        "nodes": me.node_count,
        "rank 0 is at": f"{me.master_addr}:{me.master_port}" if me.launcher != "none" else "(only one process)",
        "cores": f"{cores} usable, OMP_NUM_THREADS={env.get('OMP_NUM_THREADS', 'unset')}",
        "GPUs": shown_gpus(env),
    }
    return "\n".join(f"{name + ':':14}{value}" for name, value in rows.items())


def main() -> None:
    """Print the diagnosis, join the others, do one all-reduce and check its sum."""
    parser = argparse.ArgumentParser(
        description="Who am I, and can I talk to the others? Run it as you run your program."
    )
    parser.add_argument(
        "--timeout", type=float, default=60, metavar="S", help="seconds to wait for others (default: 60)"
    )
    args = parser.parse_args()
    me = detect()
    if me.rank == 0:
        print(diagnosis(me), flush=True)

    import torch
    import torch.distributed as dist

    me, device = init(args.timeout, me)
    line = f"rank {me.rank}: {socket.gethostname()} local rank {me.local_rank} {device}"
    lines = [None] * me.world_size
    dist.all_gather_object(lines, line)
    total = torch.tensor([me.rank + 1.0], device=device)
    start = time.perf_counter()
    dist.all_reduce(total)
    milliseconds = 1000 * (time.perf_counter() - start)
    expected = me.world_size * (me.world_size + 1) / 2
    if me.rank == 0:
        print(first_line(me, device), *lines, sep="\n")
        verdict = "ok" if total.item() == expected else "WRONG"
        print(
            f"all-reduce of 1 … {me.world_size}: {total.item():g}, expected {expected:g}: {verdict}"
            f" ({milliseconds:.1f} ms)"
        )
    finish()
    if total.item() != expected:
        sys.exit(1)


if __name__ == "__main__":
    main()
