"""Packing: the longest units first, what belongs together in one unit, and what others wait for before all else."""

import json

from runner import packing
from runner.packing import Item
from runner.small_tree import SmallTree


def order(*items: Item) -> list[list[str]]:
    return packing.units(items)


def test_long_tests_start_first_and_short_ones_stay_together():
    items = [Item("a/test_a.py::one", 1), Item("a/test_a.py::two", 1), Item("a/test_a.py::long", 9)]
    items += [Item("b/test_b.py::longest", 60), Item("b/test_b.py::short", 1)]
    assert order(*items) == [
        ["b/test_b.py::longest"],
        ["a/test_a.py::long"],
        ["a/test_a.py::one", "a/test_a.py::two"],
        ["b/test_b.py::short"],
    ]


def test_a_module_with_many_short_tests_is_cut():
    items = [Item(f"a/test_a.py::t{number}", 3) for number in range(20)]
    found = order(*items)
    assert [len(unit) for unit in found] == [7, 7, 6]
    assert {nodeid for unit in found for nodeid in unit} == {item.nodeid for item in items}


def test_a_group_stays_on_one_worker_in_its_own_order():
    items = [Item("a/test_a.py::x", 50), Item("a/test_a.py::y", 1, group="g"), Item("b/test_b.py::z", 90, group="g")]
    assert order(*items) == [["a/test_a.py::y", "b/test_b.py::z"], ["a/test_a.py::x"]]


def test_what_is_awaited_starts_before_those_that_wait():
    items = [
        Item("a/test_a.py::long", 200),
        Item("a/test_a.py::short", 1),
        Item("site/test_pages.py::page", 300),
        Item("site/test_b.py::build", 12, awaited="later"),
        Item("notebooks/test_n.py::one", 5, awaited="now"),
        Item("notebooks/test_n.py::two", 50, awaited="now"),
        Item("containers/test_c.py::images", 1, awaited="first"),
    ]
    names = [unit[0].split("::")[1] for unit in order(*items)]
    assert names == ["images", "two", "one", "long", "build", "page", "short"]


def test_durations_are_measured_or_estimated(tmp_path):
    measured, estimates = tmp_path / "measured.json", tmp_path / "estimates.json"
    measured.write_text(json.dumps({"a/test_a.py::x": 3.5}))
    estimates.write_text(json.dumps({"a/": 1, "a/test_a.py::y": 70}))
    durations = packing.Durations(measured, estimates)
    assert durations.of("a/test_a.py::x", slow=True) == 3.5
    assert durations.of("a/test_a.py::y[1]", slow=False) == 70
    assert durations.of("a/test_b.py::z", slow=True) == 1
    assert durations.of("b/test_b.py::z", slow=True) > durations.of("b/test_b.py::z", slow=False)
    measured.write_text('{"a/test_a.py::x": 3')  # a run was stopped while it wrote
    assert packing.Durations(measured, estimates).of("a/test_a.py::x", slow=False) == 1


def test_estimates_are_renewed_and_keep_their_folders(tmp_path):
    measured, estimates = tmp_path / "measured.json", tmp_path / "estimates.json"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "test_a.py").touch()
    seconds = {"a/test_a.py::long": 9.6, "a/test_a.py::short": 1, "a/test_gone.py::x": 70}
    measured.write_text(json.dumps(seconds))
    estimates.write_text(json.dumps({"a/": 1, "a/test_a.py::gone": 70}))
    assert packing.write_estimates(measured, estimates) == 1
    assert json.loads(estimates.read_text()) == {"a/": 1, "a/test_a.py::long": 10}


def test_every_estimate_is_of_tests_that_exist():
    for start in json.loads(packing.ESTIMATES.read_text()):
        assert (packing.TESTS / start.split("::")[0]).exists(), start


def test_workers_run_units_in_their_order(tmp_path):
    small = SmallTree(tmp_path)
    small.write("tests/jobs/test_many.py", "".join(f"def test_{n}():\n    pass\n\n\n" for n in range(4)))
    awaited = 'import pytest\n\n\n@pytest.mark.awaited("now")\ndef test_first():\n    pass\n'
    small.write("tests/notebooks/test_awaited.py", awaited)
    ran = list(small.pytest("-n", "1")["tests"])
    assert ran == ["notebooks/test_awaited.py::test_first", *(f"jobs/test_many.py::test_{n}" for n in range(4))]
