"""bandwidth.py: the number of nccl-tests, for all ranks, each node and pairs of nodes; a slow node is named."""

import re

import bandwidth
import pytest
from bandwidth import Group

LINE = re.compile(r"(.+) \((\d+) ranks\): ([\d.]+) ms, ([\d.]+) GB/s")
# Five ranks on three invented nodes: what is timed is real, the names are not.
WORKER = """
import argparse
import bandwidth, launch
me, device = launch.init(120)
args = argparse.Namespace(megabytes=8, repeats=3)
bandwidth.measure(["a", "a", "b", "b", "c"], me, device, args)
launch.finish()
"""


def numbers(lines: list[str]) -> dict[str, tuple[int, float, float]]:
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    return {match[1]: (int(match[2]), float(match[3]), float(match[4])) for match in found}


def test_two_ranks_of_a_node(train):
    done = train("bandwidth.py", "--megabytes", 20, "--repeats", 3, ranks=2)
    assert done.status == 0, done.err
    assert done.lines[0].startswith("backend=gloo world_size=2 device=cpu")
    assert done.lines[1] == "all-reduce of 20 MB, median of 3, bus bandwidth:"
    ((count, milliseconds, rate),) = numbers(done.lines[2:]).values()
    assert count == 2 and rate == pytest.approx(20 / milliseconds, abs=0.006 + 0.06 * 20 / milliseconds**2)


def test_all_nodes_each_node_and_each_pair(train, tmp_path):
    (tmp_path / "worker.py").write_text(WORKER)
    done = train(tmp_path / "worker.py", ranks=5)
    assert done.status == 0, done.err
    found = numbers(done.lines)
    counts = {where: count for where, (count, _, _) in found.items()}
    assert counts == {"all 3 nodes": 5, "a": 2, "b": 2, "a and b": 4, "b and c": 3, "c and a": 3}
    assert all(rate > 0 for _, _, rate in found.values())


def test_one_rank_has_nobody(train):
    done = train("bandwidth.py")
    assert done.status != 0 and "start two or more" in done.err


def test_two_nodes_are_no_pair_of_their_own():
    assert bandwidth.groups(["n1", "n1", "n2"]) == [Group(("n1", "n2"), (0, 1, 2)), Group(("n1",), (0, 1))]
    assert bandwidth.groups(["n1", "n1"]) == [Group(("n1",), (0, 1))]
    assert bandwidth.groups(["n1", "n2", "n1", "n2"])[1:] == [Group(("n1",), (0, 2)), Group(("n2",), (1, 3))]


def test_the_number_is_that_of_nccl_tests():
    """doc/PERFORMANCE.md there: B = S / t * 2 (n - 1) / n."""
    assert bandwidth.bus_bandwidth(2, 100_000_000, 0.01) == pytest.approx(10)
    assert bandwidth.bus_bandwidth(8, 100_000_000, 0.01) == pytest.approx(17.5)


def rates(pairs: dict[str, float], nodes: dict[str, float]) -> dict[Group, float]:
    found = {Group(("all", "of", "them"), (0,)): 0.1}  # slow as its slowest part: judges nobody
    return found | {Group(tuple(names), (0,)): rate for names, rate in (pairs | nodes).items()}


@pytest.mark.parametrize(
    ("pairs", "nodes", "named"),
    [
        ({"ab": 10, "bc": 10, "ca": 9}, {"a": 200, "b": 190, "c": 210}, ""),
        ({"ab": 2, "bc": 2, "ca": 10}, {"a": 200, "b": 190, "c": 210}, "b"),  # its network
        ({"ab": 2, "bc": 10, "cd": 10, "da": 10}, {}, ""),  # the way between two, and neither of them
        ({"ab": 10, "bc": 2, "cd": 2, "de": 10, "ea": 10}, {}, "c"),
        ({"ab": 10}, {"a": 200, "b": 20}, "b"),  # inside the node
        ({"ab": 1}, {"a": 200, "b": 190}, ""),  # of a single pair nobody can tell
    ],
)
def test_a_slow_node_is_named(pairs, nodes, named):
    said = bandwidth.verdict(rates(pairs, nodes))
    assert said == (f"less than half as fast as others: {named}" if named else "")
