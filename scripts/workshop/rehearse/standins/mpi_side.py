"""``mpirun``/``mpiexec`` where no MPI is installed, and ``ssh`` between the invented nodes (an MPI's launch agent)."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tasks import Job, Task, find_program, run_tasks

# Options of Open MPI's mpirun that take one value (two for --mca) and change nothing here.
ONE_VALUE = (
    "--bind-to",
    "--rank-by",
    "--report-uri",
    "--prefix",
    "--output-filename",
    "--timeout",
    "-wdir",
    "--wdir",
    "-path",
)
MCA = ("--mca", "-mca", "--gmca", "-gmca")


def play(job: Job, command: str, arguments: list[str]) -> int:
    return ssh(job, arguments) if command == "ssh" else mpirun(job, command, arguments)


def ssh(job: Job, arguments: list[str]) -> int:
    """Runs the command on an invented node; any other host goes to the real ssh."""
    words = list(arguments)
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-l", "-p", "-i", "-o", "-F") else words[1:]
    index = job.node_index(words[0].split("@")[-1]) if words else None
    if index is None:
        real = shutil.which(
            "ssh", path=os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if p != str(job.state / "bin"))
        )
        if real is None:
            job.say("ssh", f"host {words[:1]} is not a node of this job, and no real ssh is installed")
            return 255
        os.execv(real, [real, *arguments])
    shell = ["/bin/sh", "-c", " ".join(words[1:])] if words[1:] else ["/bin/sh"]
    # sshd starts with a fresh environment: the job's variables do not come along (tests/records/pbs/06, "ssh env").
    keep = ("HOME", "USER", "LOGNAME", "SHELL", "LANG", "PATH", "LD_LIBRARY_PATH")
    env = {name: os.environ[name] for name in keep if name in os.environ} | job.facts["mpi_environment"]
    task = Task(index, shell, env, cwd=os.environ.get("HOME"))
    return run_tasks(job, [task])[0]


def mpirun(job: Job, command: str, arguments: list[str]) -> int:
    """A subset of Open MPI's mpirun: -np, --hostfile, --host, --map-by ppr:N:node or node, -x."""
    options, program = _read(arguments)
    if options["unknown"]:
        job.say(
            command,
            f"option {options['unknown'][0]} is not rehearsed without Open MPI; on Debian: apt install openmpi-bin",
        )
        return 1
    placing = _place(job, options)
    if placing is None:
        print(
            "There are not enough slots available in the system to satisfy the "
            f"{options['np']} slots that were requested by the application",
            file=sys.stderr,
        )
        return 1
    if not program or not find_program(program, dict(os.environ), None):
        job.say(command, f"cannot find the program {program[:1]}")
        return 134
    tasks = [Task(node, program, _rank_environment(job, options, placing, rank)) for rank, node in enumerate(placing)]
    statuses = run_tasks(job, tasks, end_all_on_failure=True)
    return next((status for status in statuses if status), 0)


def _read(arguments: list[str]) -> tuple[dict, list[str]]:
    options: dict = {"np": None, "hosts": None, "ppr": None, "by_node": False, "x": [], "unknown": []}
    words = list(arguments)
    while words and words[0].startswith("-"):
        option = words.pop(0)
        name = option.lstrip("-")
        if name in ("np", "n", "c"):
            options["np"] = int(words.pop(0))
        elif name in ("hostfile", "machinefile"):
            options["hosts"] = _hosts_in(Path(words.pop(0)).read_text().splitlines())
        elif name in ("host", "H"):
            options["hosts"] = _hosts_in(item.replace(":", " slots=") for item in words.pop(0).split(","))
        elif name in ("map-by", "npernode", "N"):
            value = words.pop(0)
            options["by_node"] = value == "node"
            options["ppr"] = (
                int(value.split(":")[1]) if value.startswith("ppr:") else int(value) if value.isdigit() else None
            )
        elif name == "x":
            options["x"].append(words.pop(0))
        elif option in MCA:
            del words[:2]
        elif option in ONE_VALUE:
            words.pop(0)
        elif name not in (
            "oversubscribe",
            "allow-run-as-root",
            "tag-output",
            "report-bindings",
            "display-map",
            "q",
            "v",
            "nooversubscribe",
        ):
            options["unknown"].append(option)
            break
    return options, words


def _hosts_in(lines) -> dict[str, int]:
    """Slots of each host: ``slots=N`` where given, else one for each time the host is listed."""
    hosts: dict[str, int] = {}
    for line in lines:
        words = line.split("#")[0].split()
        if words:
            slots = [int(word.split("=")[1]) for word in words[1:] if word.startswith("slots=")]
            hosts[words[0]] = slots[0] if slots else hosts.get(words[0], 0) + 1
    return hosts


def _place(job: Job, options: dict) -> list[int] | None:
    # Without a host file, Open MPI built without the scheduler's support stays on the first node, one slot a core.
    hosts = options["hosts"] or {job.names[0]: job.nodes[0]["cpus"]}
    indices = [job.node_index(name) for name in hosts]
    known = [(index, slots) for index, slots in zip(indices, hosts.values(), strict=True) if index is not None]
    if options["ppr"]:
        known = [(index, options["ppr"]) for index, _ in known]
    room = sum(slots for _, slots in known)
    wanted = options["np"] or room
    if wanted > room or not known:
        return None
    if options["by_node"]:
        return _round_robin(known, wanted)
    return [index for index, slots in known for _ in range(slots)][:wanted]


def _round_robin(known: list[tuple[int, int]], wanted: int) -> list[int]:
    placing: list[int] = []
    turn = 0
    while len(placing) < wanted:
        placing += [index for index, slots in known if turn < slots]
        turn += 1
    return placing[:wanted]


def _rank_environment(job: Job, options: dict, placing: list[int], rank: int) -> dict[str, str]:
    node = placing[rank]
    local = [r for r, index in enumerate(placing) if index == node]
    env = dict(os.environ)
    if node:  # over ssh, the scheduler's variables do not reach other nodes; -x passes some on
        env = {k: v for k, v in env.items() if not k.startswith(("PBS_", "LSB_", "SLURM_", "OMP_NUM")) and k != "NCPUS"}
    for item in options["x"]:
        name, equals, value = item.partition("=")
        env[name] = value if equals else os.environ.get(name, "")
    return env | {
        "OMPI_COMM_WORLD_RANK": str(rank),
        "OMPI_COMM_WORLD_SIZE": str(len(placing)),
        "OMPI_COMM_WORLD_LOCAL_RANK": str(local.index(rank)),
        "OMPI_COMM_WORLD_LOCAL_SIZE": str(len(local)),
        "OMPI_COMM_WORLD_NODE_RANK": str(local.index(rank)),
        "OMPI_UNIVERSE_SIZE": str(len(placing)),
        "PMIX_RANK": str(rank),
    }
