"""What may this process use of the machine it runs on? Needs nothing but Python.

python3 scripts/train/node_report.py               # on the login node
srun python3 scripts/train/node_report.py --json   # in a job: the cores, memory and GPUs that the job got

Counting what a machine *has* is easy. What a job may *use* is less: the scheduler confines it to some of the cores
(affinity) or to a share of their time (cgroup), and to some of the memory (cgroup).
"""

import argparse
import json
import os
import platform
import re
import shutil
import socket
import subprocess
from pathlib import Path

GIB = 2**30
# What schedulers tell a job about the cores that it got on this node.
CORES_GRANTED = ("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "NCPUS", "LSB_DJOB_NUMPROC")


def read(path: Path) -> str:
    """The text of a file of /proc or /sys; empty where it can't be read."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def cgroup_files(name: str, controller: str, root: Path) -> list[str]:
    """A cgroup setting of this process and of all groups above it, for both versions of cgroups."""
    found = []
    for line in read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        top = root / "sys/fs/cgroup" / (controller if controllers else "")
        group = top / path.lstrip("/")
        for folder in (group, *group.parents):
            found.append(read(folder / name))
            if folder == top:
                break
    return [text for text in found if text]


def cores_by_quota(root: Path = Path("/")) -> float | None:
    """Cores' worth of time that the cgroup grants; None where there is no limit."""
    limits = []
    for text in cgroup_files("cpu.max", "cpu", root):  # version 2: "200000 100000" or "max 100000"
        quota, period = text.split()
        if quota != "max":
            limits.append(int(quota) / int(period))
    quotas, periods = (cgroup_files(f"cpu.cfs_{word}_us", "cpu", root) for word in ("quota", "period"))
    limits += [
        int(q) / int(p) for q, p in zip(quotas, periods, strict=False) if int(q) > 0
    ]  # version 1: -1 is no limit
    return min(limits, default=None)


def usable_cores() -> int:
    """Processes or threads to run side by side here: the smallest of affinity, quota and what was granted."""
    limits = [len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1]
    limits += [int(os.environ[name]) for name in CORES_GRANTED if os.environ.get(name, "").isdigit()]
    quota = cores_by_quota()
    if quota is not None:
        limits.append(int(quota))
    return max(1, min(limits))


def memory(root: Path = Path("/")) -> dict[str, float | None]:
    """GiB that the machine has, and that the cgroup grants (None where there is no limit)."""
    total = re.search(r"MemTotal:\s+(\d+) kB", read(root / "proc/meminfo"))
    total_bytes = int(total[1]) * 1024 if total else None
    texts = cgroup_files("memory.max", "memory", root) + cgroup_files("memory.limit_in_bytes", "memory", root)
    limits = [int(text) for text in texts if text != "max"]
    limit = min((n for n in limits if total_bytes is None or n < total_bytes), default=None)
    return {"machine": total_bytes and total_bytes / GIB, "cgroup": limit and limit / GIB}


def numa_nodes(root: Path = Path("/")) -> list[dict]:
    """The machine's NUMA nodes: groups of cores with memory of their own, which they reach fastest."""
    nodes = []
    for folder in sorted(root.glob("sys/devices/system/node/node[0-9]*"), key=lambda f: int(f.name[4:])):
        total = re.search(r"MemTotal:\s+(\d+) kB", read(folder / "meminfo"))
        size = round(int(total[1]) * 1024 / GIB, 1) if total else None
        nodes.append({"node": folder.name, "cores": read(folder / "cpulist"), "memory_gib": size})
    return nodes


def gpus() -> list[str]:
    """One line for each NVIDIA GPU that nvidia-smi shows here; empty where there is none."""
    if not shutil.which("nvidia-smi"):
        return []
    query = ["nvidia-smi", "--query-gpu=index,name,memory.total", "--format=csv,noheader"]
    done = subprocess.run(query, capture_output=True, text=True)
    return done.stdout.strip().splitlines() if done.returncode == 0 else []


def networks(root: Path = Path("/")) -> list[dict]:
    """Network interfaces with their speed in Gbit/s where the driver tells it; InfiniBand adapters by name."""
    found = []
    for folder in sorted(root.glob("sys/class/net/*")):
        speed = read(folder / "speed")
        known = speed.isdigit() and int(speed) > 0
        found.append({"interface": folder.name, "gbit_s": int(speed) / 1000 if known else None})
    for rate in sorted(root.glob("sys/class/infiniband/*/ports/*/rate")):
        words = read(rate).split()  # "200 Gb/sec (4X HDR)"
        found.append({"interface": rate.parts[-4], "gbit_s": float(words[0]) if words else None})
    return found


def disks(root: Path = Path("/")) -> list[dict]:
    """The file systems behind the places that a job uses: type, size and free space in GiB."""
    places = {"home": os.environ.get("HOME"), "this folder": os.getcwd(), "TMPDIR": os.environ.get("TMPDIR", "/tmp")}
    places |= {"SCRATCH": os.environ.get("SCRATCH"), "shared memory": "/dev/shm"}
    mounts = [line.split()[:3] for line in read(root / "proc/self/mounts").splitlines()]
    found = []
    for use, place in places.items():
        if not place or not Path(place).is_dir():
            continue
        real = Path(place).resolve()
        over = [m for m in mounts if real.is_relative_to(m[1])]
        kind = max(over, key=lambda m: len(m[1]))[2] if over else "unknown"
        size = shutil.disk_usage(real)
        found.append({"use": use, "type": kind, "gib": size.total / GIB, "free_gib": size.free / GIB})
    return found


def report() -> dict:
    """Everything, as plain numbers and texts."""
    return {
        "host": os.environ.get("SLURMD_NODENAME") or socket.gethostname(),
        "job": next((os.environ[n] for n in ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID") if n in os.environ), None),
        "processor": platform.machine(),
        "cores_of_the_machine": os.cpu_count(),
        "cores_by_affinity": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "cores_by_cgroup_quota": cores_by_quota(),
        "cores_granted_by_the_scheduler": {n: os.environ[n] for n in CORES_GRANTED if n in os.environ},
        "usable_cores": usable_cores(),
        "memory_gib": memory(),
        "numa": numa_nodes(),
        "gpus": gpus(),
        "networks": networks(),
        "disks": disks(),
    }


def as_text(facts: dict) -> str:
    """The report for people, one fact a line."""
    granted = ", ".join(f"{k}={v}" for k, v in facts["cores_granted_by_the_scheduler"].items()) or "nothing said"
    quota, limit = facts["cores_by_cgroup_quota"], facts["memory_gib"]["cgroup"]
    rows = [
        ("host", f"{facts['host']} ({facts['processor']})" + (f", job {facts['job']}" if facts["job"] else ", no job")),
        ("cores in all", facts["cores_of_the_machine"]),
        ("  by affinity", facts["cores_by_affinity"]),
        ("  by quota", "no limit" if quota is None else f"{quota:g}"),
        ("  by scheduler", granted),
        ("usable cores", facts["usable_cores"]),
        ("memory", f"{facts['memory_gib']['machine']:.1f} GiB, " + (f"limit {limit:.1f}" if limit else "no limit")),
    ]
    rows += [("NUMA", f"{n['node']}: cores {n['cores']}, {n['memory_gib']} GiB") for n in facts["numa"]]
    rows += [("GPU", line) for line in facts["gpus"] or ["none"]]
    rows += [("network", f"{n['interface']}: {n['gbit_s'] or '?'} Gbit/s") for n in facts["networks"]]
    rows += [("disk", f"{d['use']}: {d['type']}, {d['gib']:.0f} GiB, {d['free_gib']:.0f} free") for d in facts["disks"]]
    return "\n".join(f"{name:16}{value}" for name, value in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one line of JSON for other programs")
    args = parser.parse_args()
    facts = report()
    print(json.dumps(facts) if args.json else as_text(facts))


if __name__ == "__main__":
    main()
