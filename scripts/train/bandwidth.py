"""How fast do the ranks of this job exchange gradients? All-reduces of 100 MB: all ranks, each node, pairs of nodes.

srun python scripts/train/bandwidth.py

Start it as you start your program (launch.py stands beside it). Rank 0 prints the bus bandwidth, as NVIDIA's nccl-tests
define it: seconds of an all-reduce among N ranks become bytes / seconds * 2 (N - 1) / N, which compares with the speed
of the link, whatever N is. See https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md
"""

import argparse
import socket
import statistics
import time
from dataclasses import dataclass

import torch
import torch.distributed as dist

import launch
import options

SLOW = 0.5  # of the fastest of its kind


@dataclass(frozen=True)
class Group:
    """Ranks that all-reduce among themselves; ``hosts``: the nodes on which they are."""

    hosts: tuple[str, ...]
    ranks: tuple[int, ...]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--megabytes", type=options.at_least(1), default=100, metavar="N", help="of 10^6 bytes (default: 100)")
    option("--repeats", type=options.at_least(1), default=5, metavar="N", help="the median counts (default: 5)")
    option("--timeout", type=options.positive, default=60, metavar="S", help="wait for other ranks (default: 60 s)")
    return parser.parse_args()


def groups(hosts: list[str]) -> list[Group]:
    """What to measure, given each rank's host: all ranks, each node with several, neighboring nodes in a circle.

    So each node is in two pairs, and one that is slow in both is at fault itself. Two nodes are a pair already.
    """
    nodes = {host: tuple(rank for rank, other in enumerate(hosts) if other == host) for host in dict.fromkeys(hosts)}
    names = tuple(nodes)
    found = [Group(names, tuple(range(len(hosts))))]
    if len(names) > 1:
        found += [Group((host,), ranks) for host, ranks in nodes.items() if len(ranks) > 1]
    if len(names) > 2:
        pairs = zip(names, names[1:] + names[:1], strict=True)
        found += [Group(pair, tuple(sorted(nodes[pair[0]] + nodes[pair[1]]))) for pair in pairs]
    return found


def bus_bandwidth(count: int, size: int, seconds: float) -> float:
    """GB/s (10^9 bytes) of an all-reduce of ``size`` bytes among ``count`` ranks in ``seconds``."""
    return size / seconds * 2 * (count - 1) / count / 1e9


def seconds_of_all_reduce(group, count: int, size: int, device: torch.device, repeats: int) -> float:
    """Median seconds in which all ``count`` ranks of ``group`` are done. RuntimeError if a sum is wrong."""

    def wait_for_device() -> None:
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    numbers = torch.ones(size // 4, device=device)  # float32
    dist.all_reduce(numbers, group=group)  # connects the ranks: not counted
    if not (numbers == count).all():
        raise RuntimeError(f"an all-reduce of ones among {count} ranks did not give {count} everywhere")
    times = torch.zeros(repeats, dtype=torch.float64, device=device)
    for number in range(repeats):
        dist.barrier(group=group)
        wait_for_device()
        start = time.perf_counter()
        dist.all_reduce(numbers, group=group)
        wait_for_device()
        times[number] = time.perf_counter() - start
    dist.all_reduce(times, op=dist.ReduceOp.MAX, group=group)  # the slowest rank counts
    return statistics.median(times.tolist())


def verdict(measured: dict[Group, float]) -> str:
    """Which nodes are slow, inside or in all of their pairs, from GB/s of each group; empty if none is."""
    slow = set()
    for size in (1, 2):  # nodes are compared with nodes, pairs with pairs
        alike = {group.hosts: rate for group, rate in measured.items() if len(group.hosts) == size}
        limit = SLOW * max(alike.values(), default=0)
        slow |= {
            host
            for hosts in alike
            for host in hosts
            if len(alike) > 1 and all(rate < limit for others, rate in alike.items() if host in others)
        }
    return f"less than half as fast as others: {', '.join(sorted(slow))}" if slow else ""


def measure(hosts: list[str], me: launch.Launch, device: torch.device, args) -> dict[Group, float]:
    """GB/s of each group of ``groups(hosts)``; all ranks call it, and rank 0 prints each number as it comes."""
    measured, size = {}, args.megabytes * 1_000_000
    for group in groups(hosts):  # one after the other, so that none disturbs another
        members, count = dist.new_group(list(group.ranks)), len(group.ranks)
        seconds = torch.zeros(1, dtype=torch.float64, device=device)
        if me.rank in group.ranks:
            seconds += seconds_of_all_reduce(members, count, size, device, args.repeats)
        dist.broadcast(seconds, src=group.ranks[0])
        measured[group] = bus_bandwidth(count, size, seconds.item())
        if me.rank == 0:
            where = f"all {len(group.hosts)} nodes" if len(group.hosts) > 2 else " and ".join(group.hosts)
            print(f"{where} ({count} ranks): {1e3 * seconds.item():.1f} ms, {measured[group]:.2f} GB/s", flush=True)
    return measured


def main() -> None:
    args = parse_arguments()
    me, device = launch.init(args.timeout)
    if me.world_size == 1:
        raise SystemExit("one rank has nobody to talk to: start two or more (srun, torchrun, mpirun)")
    hosts = [None] * me.world_size
    dist.all_gather_object(hosts, socket.gethostname())
    if me.rank == 0:
        print(launch.first_line(me, device))
        print(f"all-reduce of {args.megabytes} MB, median of {args.repeats}, bus bandwidth:", flush=True)
    measured = measure(hosts, me, device, args)
    if me.rank == 0 and (text := verdict(measured)):
        print(text, flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
