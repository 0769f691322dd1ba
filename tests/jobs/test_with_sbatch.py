"""The readers and translations against a real sbatch with a real slurmctld (Debian's Slurm 22.05.8)."""

import re
from pathlib import Path

import pytest
from case_reading import cases, report_of

from workshop.jobs.parts.units import slurm_memory, slurm_time
from workshop.jobs.translate import CannotTranslate, translate

pytestmark = pytest.mark.needs_slurm

HERE = Path(__file__).parent
ALL = [case for folder in ("cases", "cases_own") for case in cases(HERE / folder)]
SLURM = [case for case in ALL if case["scheduler"] == "slurm" and not case["submit"].startswith("bash")]
ACCEPTED = [case for case in ALL if case["verdict"] == "accept" and not case.get("submit", "").startswith("bash")]
# What the site, not the grammar, refuses: host names of the case.
SITE = re.compile(r"Invalid node name")

# The scripts of the other two folders are tried for whether sbatch takes them: files to submit, not to run.
MORE = [
    case
    for folder in ("cases_public", "cases_launch")
    for case in cases(HERE / folder)
    if case["scheduler"] == "slurm" and case["path"].suffix == ".sbatch"
]
# What this Slurm lacks: options of later versions, plugins of sites, and a job to wait for.
ELSEWHERE = re.compile(
    r"unrecognized option '--(tres-per-task|resources|container-image|uenv|environment|gpu_cmode|quotatype|ear)"
    r"|dependency problem"
)

# 23.11 refuses --gpus-per-task with --ntasks-per-node and no --nodes (torchx pull 1100); 22.05.8 takes it.
NEWER_REFUSES = {"69-gpus-per-task-without-ntasks.sbatch"}
# 23.02 takes a --nodelist that is longer than --nodes; this Slurm refuses it.
OLDER_REFUSES = re.compile(r"nodelist_longer_than_nodes_fires_\d+")


def truth(facts: dict[str, str]) -> dict[str, object]:
    """scontrol's words in ours; only what does not depend on free resources."""
    found: dict[str, object] = {"tasks": int(facts["NumTasks"]), "cpus_per_task": int(facts["CPUs/Task"])}
    if "-" in facts.get("NumNodes", ""):
        found["nodes"] = int(facts["NumNodes"].split("-")[0])
    limit = facts["TimeLimit"]
    found["time_s"] = 0 if limit == "UNLIMITED" else slurm_time(limit)
    if facts.get("MinMemoryNode", "0") != "0":
        found["mem_per_node"] = slurm_memory(facts["MinMemoryNode"])
    gpus = re.findall(r"gres:gpu(?::[a-z]\w*)?:(\d+)", facts.get("TresPerNode", ""))
    if gpus:
        found["gpus_per_node"] = sum(map(int, gpus))
    found["partition"] = facts["Partition"]
    return found


@pytest.mark.parametrize("case", SLURM, ids=lambda case: case["path"].name)
def test_reading_is_what_sbatch_reads(case, controller):
    held = controller.held(case["path"])
    report = report_of(case)
    if not held.facts:
        assert report.of("error") or SITE.search(held.answer), held.answer
        return
    assert not report.of("error"), report.findings
    plain = report.to_dict()["request"]
    for name, value in truth(held.facts).items():
        if plain.get(name) is not None:
            assert plain[name] == value, (name, held.facts)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["path"].name)
def test_sbatch_takes_the_translation(case, controller, tmp_path):
    """Every translation into Slurm of an accepted case passes sbatch --test-only."""
    try:
        text = translate(case["path"], "slurm", case["scheduler"]).text
    except CannotTranslate as problem:
        pytest.fail(str(problem))
    script = tmp_path / "job.sbatch"
    script.write_text(text)
    result = controller.test_only(script)
    assert result.returncode == 0, result.stderr + text


@pytest.mark.parametrize("case", MORE, ids=lambda case: case["path"].name)
def test_sbatch_refuses_what_the_case_says_and_takes_the_rest(case, controller):
    held = controller.held(case["path"])
    if case["path"].name in NEWER_REFUSES:
        assert held.facts
    elif OLDER_REFUSES.match(case["path"].stem):
        assert "invalid number of nodes (-N" in held.answer
    elif not ELSEWHERE.search(held.answer):
        assert bool(held.facts) == (case.get("verdict") != "reject"), held.answer
