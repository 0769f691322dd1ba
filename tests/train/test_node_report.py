"""What node_report.py reads from /proc and /sys, and memory_estimate.py counts."""

import json
import os
from pathlib import Path

import pytest

import node_report
from train_running import clean_environment, command, run_command


def tree(root: Path, files: dict[str, str]) -> Path:
    """A piece of /proc and /sys below ``root``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({"proc/self/cgroup": "0::/job", "sys/fs/cgroup/job/cpu.max": "max 100000"}, None),
        ({"proc/self/cgroup": "0::/job/step", "sys/fs/cgroup/job/cpu.max": "250000 100000"}, 2.5),
        (
            {
                "proc/self/cgroup": "0::/job/step",
                "sys/fs/cgroup/job/cpu.max": "400000 100000",
                "sys/fs/cgroup/job/step/cpu.max": "800000 100000",
            },
            4,
        ),
        ({"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "100000 50000"}, 2),
        (
            {
                "proc/self/cgroup": "4:memory:/x\n3:cpu,cpuacct:/job\n0::/",
                "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "300000",
                "sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000",
            },
            3,
        ),
        (
            {
                "proc/self/cgroup": "3:cpu:/job",
                "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000",
            },
            None,
        ),
        ({}, None),
    ],
)
def test_quota_of_cores(tmp_path, files, cores):
    assert node_report.cores_by_quota(tree(tmp_path, files)) == cores


def test_memory_limit(tmp_path):
    files = {
        "proc/meminfo": "MemTotal:       8388608 kB",
        "proc/self/cgroup": "0::/job",
        "sys/fs/cgroup/job/memory.max": str(2 * 2**30),
        "sys/fs/cgroup/memory.max": "max",
    }
    assert node_report.memory(tree(tmp_path, files)) == {"machine": 8.0, "cgroup": 2.0}


def test_memory_limit_that_is_none(tmp_path):
    """Version 1 writes 'no limit' as a number larger than any machine."""
    files = {
        "proc/meminfo": "MemTotal:       8388608 kB",
        "proc/self/cgroup": "4:memory:/job",
        "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "9223372036854771712",
    }
    assert node_report.memory(tree(tmp_path, files)) == {"machine": 8.0, "cgroup": None}


def test_numa_and_networks(tmp_path):
    files = {
        "sys/devices/system/node/node0/cpulist": "0-11",
        "sys/devices/system/node/node0/meminfo": "Node 0 MemTotal:       4194304 kB",
        "sys/devices/system/node/node10/cpulist": "12-23",
        "sys/class/net/eth0/speed": "25000",
        "sys/class/net/lo/speed": "-1",
        "sys/class/infiniband/mlx5_0/ports/1/rate": "200 Gb/sec (4X HDR)",
    }
    root = tree(tmp_path, files)
    assert node_report.numa_nodes(root) == [
        {"node": "node0", "cores": "0-11", "memory_gib": 4.0},
        {"node": "node10", "cores": "12-23", "memory_gib": None},
    ]
    assert node_report.networks(root) == [
        {"interface": "eth0", "gbit_s": 25.0},
        {"interface": "lo", "gbit_s": None},
        {"interface": "mlx5_0", "gbit_s": 200.0},
    ]


def test_report_of_this_machine(tmp_path):
    env = clean_environment(SLURM_CPUS_ON_NODE="3", SLURM_JOB_ID="17")
    done = run_command(command("node_report.py", "--json"), tmp_path, env)
    facts = json.loads(done.out)
    assert done.status == 0 and done.err == ""
    assert facts["cores_by_affinity"] == len(os.sched_getaffinity(0))
    assert 1 <= facts["usable_cores"] <= facts["cores_of_the_machine"]
    assert facts["job"] == "17" and facts["cores_granted_by_the_scheduler"] == {"SLURM_CPUS_ON_NODE": "3"}
    assert {"home", "this folder"} & {disk["use"] for disk in facts["disks"]}
    text = run_command(command("node_report.py"), tmp_path, env)
    assert f"usable cores    {facts['usable_cores']}" in text.lines


def test_what_the_scheduler_granted_counts_even_if_nobody_enforces_it(tmp_path):
    done = run_command(command("node_report.py", "--json"), tmp_path, clean_environment(SLURM_CPUS_PER_TASK="1"))
    assert json.loads(done.out)["usable_cores"] == 1


def test_memory_estimate(train, tmp_path):
    done = train("memory_estimate.py", "--batch-size", 2, 4, "--out", tmp_path / "record.json")
    assert done.status == 0 and done.err == ""
    record = json.loads((tmp_path / "record.json").read_text())
    counted, n = record["counted_bytes"], record["parameters"]
    assert counted["weights"] == counted["gradients"] == 4 * n
    assert counted["averages of Adam"] == 8 * n
    two, four = (row["estimate_bytes"] for row in record["batches"])
    assert four == sum(counted.values())
    assert four - two == 2 * record["per_image_bytes"] > 0
