"""``blaunch``, ``jsrun`` and ``brequeue`` inside a rehearsed LSF job, by IBM's documentation of LSF 10.1."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tasks import Job, Task, find_program, run_tasks


def play(job: Job, command: str, arguments: list[str]) -> int:
    return {"blaunch": blaunch, "jsrun": jsrun, "brequeue": brequeue}[command](job, arguments)


def blaunch(job: Job, arguments: list[str]) -> int:
    """``blaunch [-n] [-z "HOST ..." | -u FILE | HOST] COMMAND``: without hosts, one task for each slot.

    Source: https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=reference-blaunch
    """
    words, hosts = list(arguments), None
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option == "-z":
            hosts = words.pop(0).split()
        elif option == "-u":
            hosts = Path(words.pop(0)).read_text().split()
    if hosts is None and words and job.node_index(words[0]) is not None:
        hosts = [words.pop(0)]
    if not words:
        print(
            "Usage: blaunch [-n] [-u host_file | -z host_name ... | host_name] command [argument ...]", file=sys.stderr
        )
        return 255
    strangers = [name for name in hosts or [] if job.node_index(name) is None]
    if strangers:
        print(f"blaunch: host {strangers[0]} is not part of this job ({' '.join(job.names)})", file=sys.stderr)
        return 255
    slots = job.slots() if hosts is None else [job.node_index(name) or 0 for name in hosts]
    if not find_program(words, dict(os.environ), None):
        print(f"{words[0]}: No such file or directory", file=sys.stderr)
        return 127
    statuses = run_tasks(job, [Task(slot, words, _on_host(job, slot)) for slot in slots], end_all_on_failure=True)
    return max(statuses)


def _on_host(job: Job, node: int) -> dict[str, str]:
    env = {**os.environ, "HOSTNAME": job.names[node]}
    if job.nodes[node]["gpus"]:
        env["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, job.nodes[node]["gpus"]))
    return env


def jsrun(job: Job, arguments: list[str]) -> int:
    """``jsrun`` of IBM's Job Step Manager: ``-n`` resource sets, ``-r`` a host, ``-a`` tasks, ``-g`` GPUs in each.

    Source: https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=SSWRJV_10.1.0/jsm/jsrun.html
    """
    parser = argparse.ArgumentParser(prog="jsrun")
    parser.add_argument("-n", "--nrs", type=int)
    parser.add_argument("-r", "--rs_per_host", type=int)
    parser.add_argument("-a", "--tasks_per_rs", type=int, default=1)
    parser.add_argument("-p", "--np", type=int)
    parser.add_argument("-g", "--gpu_per_rs", type=int, default=0)
    for option in (
        "-c",
        "--cpu_per_rs",
        "-b",
        "--bind",
        "-d",
        "--launch_distribution",
        "-l",
        "--latency_priority",
        "--smpiargs",
        "-E",
        "--env",
    ):
        parser.add_argument(option, dest="unused")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if not options.program:
        parser.print_usage(sys.stderr)
        return 255
    hosts = len(job.nodes)
    sets = options.nrs or options.np or (options.rs_per_host or 1) * hosts
    per_host = options.rs_per_host or -(-sets // hosts)
    if sets > per_host * hosts:
        print(f"jsrun: {sets} resource sets do not fit on {hosts} hosts with {per_host} on each", file=sys.stderr)
        return 255
    homes = [(number // per_host, number % per_host) for number in range(sets)]
    ranks = [(node, place) for node, place in homes for _ in range(options.tasks_per_rs)]
    tasks = [_jsm_task(job, options, ranks, rank) for rank in range(len(ranks))]
    return max(run_tasks(job, tasks, end_all_on_failure=True))


def _jsm_task(job: Job, options: argparse.Namespace, ranks: list[tuple[int, int]], rank: int) -> Task:
    node, place = ranks[rank]
    on_host = [r for r, (index, _) in enumerate(ranks) if index == node]
    local, size = str(on_host.index(rank)), str(len(ranks))
    env = _on_host(job, node) | {
        "JSM_NAMESPACE_RANK": str(rank),
        "JSM_NAMESPACE_SIZE": size,
        "JSM_NAMESPACE_LOCAL_RANK": local,
        "JSM_NAMESPACE_LOCAL_SIZE": str(len(on_host)),
        "PMIX_RANK": str(rank),
        "OMPI_COMM_WORLD_RANK": str(rank),
        "OMPI_COMM_WORLD_SIZE": size,
        "OMPI_COMM_WORLD_LOCAL_RANK": local,
        "OMPI_COMM_WORLD_LOCAL_SIZE": str(len(on_host)),
    }
    if options.gpu_per_rs:
        first = place * options.gpu_per_rs
        env["CUDA_VISIBLE_DEVICES"] = ",".join(str(first + number) for number in range(options.gpu_per_rs))
    return Task(node, options.program, env)


def brequeue(job: Job, arguments: list[str]) -> int:
    """Ends this job and starts it again with the same id; other jobs are not touched."""
    targets = [item for item in arguments if not item.startswith("-")]
    if targets and targets[0] not in (job.facts["job_id"], job.facts["raw_id"]):
        job.say(
            "brequeue", f"job {targets[0]} is not this job ({job.facts['job_id']}): a rehearsal touches no other job"
        )
        return 255
    (job.state / "requeue").write_text("brequeue")
    print(f"Job <{job.facts['job_id']}> is being requeued ")
    return 0
