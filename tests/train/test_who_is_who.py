"""*Who is who* on the page (book/static/play/ranks_model.js) says what ``launch.py`` makes of each environment."""

import re

import pytest
import torch
from play_answers import answers

from workshop.paths import REPO
from workshop.yaml_files import read_yaml

import launch

ENTRIES = {entry["id"]: entry for entry in read_yaml(REPO / "tests" / "train" / "launch_environments.yml")}
# Of these, what the page lays into an environment for the same place stands in the recorded one, too.
SAME = {
    "srun": ("srun python", 2, 4, 4, 5),
    "srun-torchrun": ("srun torchrun", 2, 4, 1, 5),
    "torchrun-standalone": ("torchrun --standalone", 1, 4, 1, 1),
    "openmpi-slurm-second-node": ("mpirun (Open MPI)", 2, 4, 4, 4),
    "hydra-pbs": ("mpiexec (MPICH, Intel MPI)", 2, 2, 2, 3),
    "pals": ("mpiexec (Cray PALS)", 2, 4, 4, 5),
}
BY_HAND = {"MASTER_ADDR", "MASTER_PORT"}  # passed on by the reader, under mpirun
CHOSEN = {"PBS_JOBID", "PMIX_NAMESPACE", "TORCHELASTIC_RUN_ID"}  # any text will do


@pytest.fixture(scope="module")
def launchers(require) -> dict[str, dict]:
    """The page's launchers, with what it says of them."""
    require("node")
    return answers("ranks", [("LAUNCHERS", [])])[0]


def cases(launchers: dict[str, dict]) -> list[tuple]:
    """All that readers can choose."""
    return [
        (launcher, nodes, gpus, tasks, shown)
        for launcher in launchers
        for nodes in (1, 2, 3, 4)
        for gpus in (1, 2, 3, 4, 8)
        for tasks in sorted({1, gpus})
        for shown in ("all", "one")
    ]


def taken(process: dict, folder, monkeypatch) -> tuple:
    """Rank, local rank, world size, device and refusal of one process, from launch.py."""
    files = {}
    for name, lines in process["files"].items():
        path = folder / f"{name}-{len(lines)}"
        path.write_text("".join(f"{line}\n" for line in lines))
        files[name] = str(path)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: process.get("visible", 0))
    try:
        me = launch.detect(process["environment"] | files)
    except launch.LaunchError as refusal:
        return None, None, None, None, str(refusal)
    try:
        return me.rank, me.local_rank, me.world_size, str(launch.pick_device(me)), ""
    except launch.LaunchError as refusal:
        return me.rank, me.local_rank, me.world_size, None, str(refusal)


def test_each_rank_is_who_launch_py_says(launchers, tmp_path, monkeypatch, say):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    asked = cases(launchers)
    count = refused = 0
    for case, answer in zip(asked, answers("ranks", [("who", list(case)) for case in asked]), strict=True):
        assert answer["processes"], case
        for process in answer["processes"]:
            *who, refusal = taken(process, tmp_path, monkeypatch)
            assert who == [process.get(key) for key in ("rank", "localRank", "worldSize", "device")], (case, process)
            assert process["refused"] in refusal and bool(process["refused"]) == bool(refusal), (case, refusal)
            count, refused = count + 1, refused + bool(refusal)
        if not answer["refused"]:
            ranks = [process["rank"] for process in answer["processes"]]
            assert ranks == list(range(answer["processes"][0]["worldSize"])), case
    assert refused > 100
    say(f"{len(asked)} choices, {count} ranks ({refused} refused): the page says what launch.py does")


def test_ranks_read_the_variables_that_the_page_names(launchers):
    asked = [case for case in cases(launchers) if case[4] == "all"]
    for case, answer in zip(asked, answers("ranks", [("who", list(case)) for case in asked]), strict=True):
        for process in [] if answer["refused"] else answer["processes"]:
            told = [int(process["environment"][name]) for name in launchers[case[0]]["told"]]
            assert told == [process[key] for key in ("rank", "localRank", "worldSize")][: len(told)], case


@pytest.mark.parametrize("recorded", SAME)
def test_environments_are_those_of_real_launchers(launchers, recorded: str):
    *case, rank = SAME[recorded]
    found = answers("ranks", [("who", case)])[0]["processes"][rank]["environment"]
    real = ENTRIES[recorded]["environment"]
    ours = {name: value for name, value in found.items() if name not in BY_HAND | CHOSEN}
    if not any(name.startswith("SLURM_") for name in real):  # recorded outside of a job
        ours = {name: value for name, value in ours.items() if not name.startswith("SLURM_")}
    assert len(ours) > 3
    assert ours.items() <= real.items(), set(ours.items()) - set(real.items())
    assert BY_HAND & set(found) <= set(real) or case[0].startswith("mpi")


def test_the_page_s_table_and_the_choice_have_the_same_launchers(launchers):
    text = (REPO / "book" / "ddp_many_nodes.md").read_text()
    table = text[text.index("| Launcher | starts |") :].split("\n\n")[0]
    for launcher, about in launchers.items():
        if launcher in ("python alone", "torchrun --standalone"):
            continue
        first = re.split(r" \(| and ", launcher)[0]
        assert f"`{first}`" in table, launcher
        if launcher not in ("pbsdsh and torchrun", "blaunch and torchrun"):
            assert f"`{about['told'][0]}`" in table, launcher
