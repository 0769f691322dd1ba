"""What the things to play with compute: the ring adds up, and the numbers of GPUs are those of page and exercise."""

import importlib.util
import json
import random
import re
import statistics

import pytest
from play_answers import answers

from workshop.book.measured import shown
from workshop.paths import REPO

PAGE = (REPO / "book" / "scaling.md").read_text()


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 6])
def test_each_round_of_the_ring_moves_one_piece_of_each_rank(require, ranks: int):
    """Rank r begins with 2**r in each piece: a value then tells which ranks are in it, and none can be in it twice."""
    require("node")
    whole = 2**ranks - 1
    rounds = 2 * (ranks - 1)
    played, *asked = answers(
        "ring",
        [
            ("allReduce", [[[2**rank] * ranks for rank in range(ranks)]]),
            *(("complete", [ranks, done]) for done in range(rounds + 1)),
            ("sent", [ranks, rounds]),
        ],
    )
    *complete, sent = asked
    assert len(played["rounds"]) == rounds
    for number, round_ in enumerate(played["rounds"]):
        assert round_["sums"] == (number < ranks - 1)
        assert [move["from"] for move in round_["moves"]] == list(range(ranks))
        before, after = played["states"][number : number + 2]
        for move in round_["moves"]:
            assert move["to"] == (move["from"] + 1) % ranks
            assert [move["sent"], move["had"], move["has"]] == [
                before[move["from"]][move["piece"]],
                before[move["to"]][move["piece"]],
                after[move["to"]][move["piece"]],
            ]
            assert move["has"] == (move["sent"] + move["had"] if round_["sums"] else move["sent"])
    for state, flags in zip(played["states"], complete, strict=True):
        assert [[value == whole for value in pieces] for pieces in state] == flags
    assert played["states"][-1] == [[whole] * ranks] * ranks
    assert "2 · (N \N{MINUS SIGN} 1) / N · bytes / bandwidth" in PAGE
    assert sent == pytest.approx(2 * (ranks - 1) / ranks)


def table(heading: str) -> list[list[str]]:
    """The cells of a table of the page, with the numbers that it reads from records."""
    text = PAGE[PAGE.index(heading) :].split("\n\n")[0]
    lines = re.sub(r"\{(measured[\w-]*)\}`([^`]*)`", lambda role: shown(REPO, *role.groups()), text).splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def measured() -> dict[str, dict[str, float]]:
    return answers("gpus", [("MEASURED", [])])[0]


def test_measured_rates_are_those_of_the_record(require):
    require("node")
    record = json.loads((REPO / "book" / "data" / "scaling_4gpus.json").read_text())["rows"]
    rates = {
        (row["model"], row["scaling"], str(row["ranks"])): round(1e3 * row["batch"] / statistics.median(row["step_ms"]))
        for row in record
        if row["label"] == ""
    }
    names = {"ResNet-50": "resnet50", "small CNN": "cnn"}
    for example, offered in measured().items():
        model, scaling = example.removesuffix(" scaling").split(", ")
        assert offered == {gpus: rates[names[model], scaling, gpus] for gpus in ("1", "2", "4")}


def test_speed_up_efficiency_and_cost_are_those_of_the_page(require):
    require("node")
    for scaling in ("strong", "weak"):
        for model, name in (("resnet50", "ResNet-50"), ("cnn", "small CNN")):
            rates = measured()[f"{name}, {scaling} scaling"]
            (found,) = answers("gpus", [("rows", [rates, 115e6])])
            wanted = [row for row in table(f"| Model, {scaling} scaling | GPUs |") if row[0] == model]
            for row, (_, gpus, _, speed_up, efficiency) in zip(found, wanted, strict=True):
                assert row["gpus"] == int(gpus)
                assert row["speedUp"] == pytest.approx(float(speed_up), abs=0.006)
                assert 100 * row["efficiency"] == pytest.approx(float(efficiency.rstrip(" %")), abs=0.6)
    for name, gpus, hours, cost in table("| ResNet-50 | GPUs | Hours |"):
        scaling = "weak" if name == "on one GPU" else name
        (found,) = answers("gpus", [("rows", [measured()[f"ResNet-50, {scaling} scaling"], 115e6])])
        (row,) = [row for row in found if row["gpus"] == int(gpus)]
        assert [f"{row['hours']:.1f}", f"{row['cost']:.1f}"] == [hours, cost]


def exercise():
    """The solution of the exercise *How many GPUs?*"""
    path = REPO / "scripts" / "exercises" / "scaling" / "choose" / "solution.py"
    spec = importlib.util.spec_from_file_location("choose_solution", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.choose


def test_the_choice_is_that_of_the_exercise(require):
    require("node")
    rng, choose = random.Random(4), exercise()
    cases = []
    for _ in range(300):
        one = rng.uniform(1, 1e4)
        rates = {1: one, 2: one * rng.uniform(0.5, 2.1), 4: one * rng.uniform(0.5, 4.2)}
        cases.append((rates, rng.uniform(1e4, 1e9), rng.choice([0.3, 0.5, 0.7, 0.9])))
    tables = answers("gpus", [("rows", [rates, images]) for rates, images, _ in cases])
    questions = [("choose", [rows, threshold]) for rows, (_, _, threshold) in zip(tables, cases, strict=True)]
    found = answers("gpus", questions)
    assert found == [choose(rates, images, float("inf"), threshold) for rates, images, threshold in cases]
    assert set(found) == {1, 2, 4}


def test_amdahl_s_law_is_found_where_it_holds_and_nowhere_else(require):
    require("node")
    laws = [0, 0.01, 0.08, 0.2, 0.5, 0.9]
    rates = [{gpus: 100 / (s + (1 - s) / gpus) for gpus in (1, 2, 4)} for s in laws]
    tables = answers("gpus", [("rows", [one, 1e6]) for one in [*rates, measured()["ResNet-50, strong scaling"]]])
    *found, real = answers("gpus", [("amdahl", [rows]) for rows in tables])
    assert found == [{"fixed": s} for s in laws]
    # From two GPUs it would be 16 %, from four 51 %: no law at all.
    assert [round(share, 2) for share in real["apart"]] == [0.16, 0.51]


def test_the_forecast_is_the_page_s(require):
    """*… fits Amdahl's law with s = 8 %: … The law then promises 5.1 for eight GPUs, 64 %, and never more than 13.*"""
    require("node")
    (rows,) = answers("gpus", [("rows", [measured()["small CNN, strong scaling"], 115e6])])
    (law,) = answers("gpus", [("amdahl", [rows])])
    (gain,) = answers("gpus", [("speedUp", [law["fixed"], 8])])
    limit = int(1 / law["fixed"] + 0.5)
    said = f"promises {gain:.1f} for eight GPUs, {gain / 8:.0%}".replace("%", " %") + f", and never more than {limit}"
    assert f"with *s* = {100 * law['fixed']:.0f} %" in PAGE and said in PAGE
