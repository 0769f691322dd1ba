"""``srun`` and ``scontrol`` as a script inside a rehearsed Slurm job sees them."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from dataclasses import dataclass
from typing import IO, Any

from hostlist import compress, expand, runs
from tasks import Job, Task, find_program, run_tasks

# Options of srun that change nothing here: binding, memory and accounting are not rehearsed.
TAKES_VALUE = (
    "--cpu-bind",
    "--mem",
    "--mem-per-cpu",
    "--mem-per-gpu",
    "--gpu-bind",
    "--mpi",
    "--time",
    "-t",
    "--job-name",
    "-J",
    "--hint",
    "--threads-per-core",
    "--gpus",
    "-G",
    "--gpus-per-task",
    "--gpus-per-node",
    "--gres",
    "--wait",
    "-W",
    "--network",
    "--partition",
    "-p",
    "--account",
    "-A",
    "--input",
    "-i",
    "--signal",
    "--ntasks-per-core",
    "--cpu-freq",
    "--profile",
)
FLAGS = (
    "--exclusive",
    "--exact",
    "--overlap",
    "--no-kill",
    "-k",
    "-u",
    "--unbuffered",
    "-v",
    "-Q",
    "--quiet",
)


def play(job: Job, command: str, arguments: list[str]) -> int:
    return {"srun": srun, "scontrol": scontrol}[command](job, arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="srun", allow_abbrev=True)
    parser.add_argument("-n", "--ntasks", type=int)
    parser.add_argument("-N", "--nodes")
    parser.add_argument("--ntasks-per-node", "--tasks-per-node", type=int)
    parser.add_argument("-c", "--cpus-per-task", type=int)
    parser.add_argument("-w", "--nodelist")
    parser.add_argument("-x", "--exclude")
    parser.add_argument("-r", "--relative", type=int, default=0)
    parser.add_argument("-m", "--distribution")
    parser.add_argument("-O", "--overcommit", action="store_true")
    parser.add_argument("-K", "--kill-on-bad-exit", nargs="?", const="1", default="0")
    parser.add_argument("-l", "--label", action="store_true")
    parser.add_argument("-D", "--chdir")
    parser.add_argument("-o", "--output")
    parser.add_argument("-e", "--error")
    parser.add_argument("--export")
    parser.add_argument("--pty", action="store_true")
    for option in TAKES_VALUE:
        parser.add_argument(option, dest="unused")
    for option in FLAGS:
        parser.add_argument(option, dest="unused", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser


def _options(arguments: list[str]) -> argparse.Namespace:
    # The optional value of --kill-on-bad-exit must not swallow the program that follows it.
    tidy = ["--kill-on-bad-exit=1" if item in ("-K", "--kill-on-bad-exit") else item for item in arguments]
    return _parser().parse_args(tidy)


def srun(job: Job, arguments: list[str]) -> int:
    """Start a step: one process a task, with the variables of that task (sbatch(1), srun(1))."""
    options = _options(arguments)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        job.say("srun", "no command given: nothing to start")
        return 1
    sizes = _sizes(job, options)
    options.distribution = options.distribution or ("cyclic" if sizes.tasks <= sizes.fewest else "block")
    placing, problem = _place(job, options, sizes)
    if problem:
        print(f"srun: error: {problem}", file=sys.stderr)
        return 1
    env = _step_environment(job, options, sizes, placing)
    if not find_program(command, env, options.chdir):
        print(f"slurmstepd: error: execve(): {command[0]}: No such file or directory", file=sys.stderr)
        return 2
    tasks = [_task(job, options, command, env, placing, rank) for rank in range(len(placing))]
    statuses = run_tasks(job, tasks, end_all_on_failure=options.kill_on_bad_exit != "0")
    for rank, status in enumerate(statuses):
        if status:
            name = job.names[placing[rank]]
            print(f"srun: error: {name}: task {rank}: Exited with exit code {status}", file=sys.stderr)
    return max(statuses)


@dataclass
class Sizes:
    """What a step asks for: fewest and most nodes, tasks, tasks a node (None = no matter)."""

    fewest: int
    most: int
    tasks: int
    per_node: int | None


def _sizes(job: Job, options: argparse.Namespace) -> Sizes:
    """The numbers that srun takes from its options, and else from the job's variables (srun(1), INPUT ENVIRONMENT).

    Compared with srun 22.05.8 in tests/rehearse/test_srun_against_slurm.py: it ignores what does not fit, and says so.
    """
    fewest, most = _asked_nodes(job, options)
    given = options.ntasks or _number("SLURM_NTASKS")
    per_node = options.ntasks_per_node or _number("SLURM_NTASKS_PER_NODE")
    if given is None:
        return Sizes(fewest, most, _tasks_by_default(job, options, min(most, len(job.nodes)), per_node), per_node)
    if given < fewest:
        _warn(f"can't run {given} processes on {fewest} nodes, setting nnodes to {given}")
        fewest = most = given
    if per_node and per_node != given // fewest:
        if given > per_node:
            _warn(
                f"can't honor --ntasks-per-node set to {per_node} which doesn't match the requested tasks {given} "
                f"with the number of requested nodes {fewest}. Ignoring --ntasks-per-node."
            )
        per_node = None
    return Sizes(fewest, most, given, per_node)


def _asked_nodes(job: Job, options: argparse.Namespace) -> tuple[int, int]:
    if not options.nodes:
        return len(job.nodes), len(job.nodes)
    fewest, dash, most = str(options.nodes).partition("-")
    return int(fewest), int(most) if most else len(job.nodes) if dash else int(fewest)


def _tasks_by_default(job: Job, options: argparse.Namespace, nodes: int, per_node: int | None) -> int:
    """Without a number of tasks: as many as are wanted on each node, as ``-c`` leaves room for, or one a node."""
    if per_node:
        return nodes * per_node
    if options.cpus_per_task and not options.nodes and not job.facts["whole_nodes"]:
        return sum(node["cpus"] // options.cpus_per_task for node in job.nodes) or nodes
    return nodes


def _number(variable: str) -> int | None:
    value = os.environ.get(variable, "")
    return int(value) if value.isdigit() else None


def _warn(text: str) -> None:
    print(f"srun: Warning: {text}", file=sys.stderr, flush=True)


def _place(job: Job, options: argparse.Namespace, sizes: Sizes) -> tuple[list[int], str | None]:
    """(node index of each task, None) or ([], what is wrong)."""
    nodes, problem = _chosen_nodes(job, options, sizes)
    if problem:
        return [], problem
    cores = options.cpus_per_task or 1
    free = options.overcommit or job.facts["whole_nodes"]  # how many cores a whole node has is not known here
    if not free and sum(job.nodes[index]["cpus"] for index in nodes) < sizes.tasks * cores:
        job_id = job.facts["job_id"]
        return [], f"Unable to create step for job {job_id}: More processors requested than permitted"
    room = [sizes.tasks if job.facts["whole_nodes"] else max(1, job.nodes[index]["cpus"] // cores) for index in nodes]
    counts = _counts(sizes.tasks, [min(one, sizes.per_node or one) for one in room])
    if options.distribution.startswith("cyclic"):
        rounds = [(turn, index) for index, count in zip(nodes, counts, strict=True) for turn in range(count)]
        return [index for _, index in sorted(rounds)], None
    return [index for index, count in zip(nodes, counts, strict=True) for _ in range(count)], None


def _counts(tasks: int, room: list[int]) -> list[int]:
    """Tasks of each node: in turn one for each that has room left, and when none has, one for each.

    So does _task_layout_block() in src/common/slurm_step_layout.c.
    """
    counts, turn, crowded = [0] * len(room), 0, False
    while True:
        for index, most in enumerate(room):
            if sum(counts) == tasks:
                return counts
            if turn < most or crowded:
                counts[index] += 1
        turn += 1
        crowded = crowded or all(most <= turn for most in room)


def _chosen_nodes(job: Job, options: argparse.Namespace, sizes: Sizes) -> tuple[list[int], str | None]:
    """The nodes of the step, in the job's order: those that are named, and further ones up to the number asked for."""
    left_out = [job.node_index(name) for name in expand(options.exclude)] if options.exclude else []
    there = [index for index in range(len(job.nodes)) if index not in left_out]
    if left_out and len(there) < sizes.fewest:
        print("srun: error: Are required nodes explicitly excluded?", file=sys.stderr)
    if len(there) < sizes.fewest:
        return [], f"Only allocated {len(there)} nodes asked for {sizes.fewest}"
    named = [job.node_index(name) for name in expand(options.nodelist)] if options.nodelist else []
    if None in named:
        return [], f"Requested node configuration is not available: {options.nodelist} is not part of this job"
    order = named + [index for index in there[options.relative :] if index not in named]
    return sorted(order[: max(len(named), min(sizes.most, sizes.tasks))]), None


def _step_environment(job: Job, options: argparse.Namespace, sizes: Sizes, placing: list[int]) -> dict[str, str]:
    """Variables that all tasks of the step share."""
    env = _exported(options.export)
    nodes = sorted(set(placing))
    counts = [placing.count(index) for index in nodes]
    step = str(job.next_step())
    names = compress([job.names[index] for index in nodes])
    env |= {
        "SLURM_STEP_ID": step,
        "SLURM_STEPID": step,
        "SLURM_STEP_NODELIST": names,
        "SLURM_STEP_NUM_NODES": str(len(nodes)),
        "SLURM_STEP_NUM_TASKS": str(len(placing)),
        "SLURM_STEP_TASKS_PER_NODE": runs(counts),
        "SLURM_NTASKS": str(len(placing)),
        "SLURM_NPROCS": str(len(placing)),
        "SLURM_NNODES": str(len(nodes)),
        "SLURM_NODELIST": names,
        "SLURM_TASKS_PER_NODE": runs(counts),
        "SLURM_STEP_LAUNCHER_PORT": "0",
        "SLURM_LAUNCH_NODE_IPADDR": "127.0.0.1",
        "SLURM_SRUN_COMM_HOST": "127.0.0.1",
        "SLURM_SRUN_COMM_PORT": "0",
        "SLURM_DISTRIBUTION": options.distribution,
        "SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0": os.environ.get("SLURM_JOB_CPUS_PER_NODE", ""),
        "SLURM_UMASK": f"{_umask():04o}",
    }
    if options.cpus_per_task:
        env["SLURM_CPUS_PER_TASK"] = str(options.cpus_per_task)
    if sizes.per_node:
        env["SLURM_NTASKS_PER_NODE"] = str(sizes.per_node)
    return env


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _exported(export: str | None) -> dict[str, str]:
    """The environment that ``srun --export`` passes on."""
    if export is None or export == "ALL":
        return dict(os.environ)
    items = export.split(",")
    keep = (
        dict(os.environ)
        if "ALL" in items
        else {k: v for k, v in os.environ.items() if k.startswith("SLURM") or k == "PATH"}
    )
    for item in items:
        name, equals, value = item.partition("=")
        if equals:
            keep[name] = value
        elif name in os.environ:
            keep[name] = os.environ[name]
    return keep


def _task(
    job: Job, options: argparse.Namespace, command: list[str], env: dict[str, str], placing: list[int], rank: int
) -> Task:
    node = placing[rank]
    nodes = sorted(set(placing))
    on_node = [r for r, index in enumerate(placing) if index == node]
    mine = {
        "SLURM_PROCID": str(rank),
        "SLURM_LOCALID": str(on_node.index(rank)),
        "SLURM_NODEID": str(nodes.index(node)),
        "SLURM_GTIDS": ",".join(map(str, on_node)),
        "SLURMD_NODENAME": job.names[node],
        "SLURM_CPUS_ON_NODE": str(_step_cpus(job.nodes[node]["cpus"], options, len(on_node))),
        "SLURM_TASK_PID": "0",
    }
    if job.nodes[node]["gpus"]:
        mine["SLURM_STEP_GPUS"] = ",".join(map(str, job.nodes[node]["gpus"]))
    patterns = {"stdout": options.output, "stderr": options.error or options.output}
    letters = {"t": rank, "n": nodes.index(node), "N": job.names[node], "s": env["SLURM_STEP_ID"]}
    files = {stream: _open(job, pattern, letters) for stream, pattern in patterns.items() if pattern}
    label = f"{rank}: " if options.label else None
    return Task(node, command, {**env, **mine}, cwd=options.chdir, label=label, **files)


def _step_cpus(granted: int, options: argparse.Namespace, tasks: int) -> int:
    """Cores of a step on one node: with ``-c``, which implies --exact, those of its tasks, else all of the job."""
    return min(granted, options.cpus_per_task * tasks) if options.cpus_per_task else granted


def _open(job: Job, pattern: str, letters: dict[str, Any]) -> IO[bytes]:
    """The file of ``srun --output``: srun(1), "IO redirection"."""
    job_id = job.facts["job_id"]
    known = letters | {"j": job_id, "J": f"{job_id}.{letters['s']}", "x": job.facts["name"]}
    return open(re.sub(r"%([jJstnNx])", lambda match: str(known[match[1]]), pattern), "ab")


def scontrol(job: Job, arguments: list[str]) -> int:
    """``show hostnames``, ``show hostlist``, ``show job`` and ``requeue`` of this job; nothing else is rehearsed."""
    words = [item for item in arguments if not item.startswith("-")]
    if words[:2] == ["show", "hostnames"] or words[:2] == ["show", "hostname"]:
        print("\n".join(expand(words[2] if len(words) > 2 else os.environ["SLURM_JOB_NODELIST"])))
        return 0
    if words[:2] == ["show", "hostlist"] and len(words) > 2:
        print(compress(words[2].split(",")))
        return 0
    if words[:1] == ["requeue"] and words[1:] and words[1] in (job.facts["job_id"], job.facts["raw_id"]):
        (job.state / "requeue").write_text("scontrol")
        return 0
    if words[:2] == ["show", "job"]:
        print(json.dumps(job.facts["nodes"]))
        return 0
    job.say(
        "scontrol",
        f"'{' '.join(arguments)}' is not rehearsed (only show hostnames, show hostlist and requeue of this job are)",
    )
    return 1
