"""What is known of each scheduler: complete, without contradiction, and used by every command."""

import re
from itertools import combinations
from pathlib import Path

import click
import pytest

from workshop import cli, notebook
from workshop.jobs import dialects as package
from workshop.jobs.check import check
from workshop.jobs.dialect import PACKAGES, Notion, Purpose, dialect, dialects, others, spellings, targets
from workshop.jobs.read import read_script, read_text
from workshop.jobs.rules.rule import functions_of
from workshop.rehearse import run
from workshop.sites import builder
from workshop.sites.fill import header

ALL = list(dialects().values())
HEADER = {"slurm": "#SBATCH --time=1:00:00", "pbs": "#PBS -l walltime=1:00:00", "lsf": "#BSUB -W 1:00"}
# Each package has these; what else it has is its own business.
MODULES = {"__init__", "body", "read", "words", "write"}


def findings(scheduler: str, *lines: str) -> dict[str, str]:
    """Rule -> message and advice, of a script with these commands."""
    text = "\n".join(["#!/bin/bash", HEADER[dialect(scheduler).package], *lines]) + "\n"
    return {found.rule: f"{found.message} {found.fix}" for found in check(read_text(text, scheduler)).findings}


def test_every_folder_of_dialects_is_known():
    folder = Path(package.__file__).parent
    assert {path.parent.name for path in folder.glob("*/__init__.py")} == set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_dialect_has_the_same_files_as_the_others(name):
    folder = Path(package.__file__).parent / name
    assert not MODULES - {path.stem for path in folder.glob("*.py")}


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_dialect_says_what_the_others_are_asked_for(one):
    assert not [notion for notion in Notion if not one.advice(notion)]
    assert not [purpose for purpose in Purpose if purpose is not Purpose.OTHER and not one.advice(purpose)]
    assert one.magic.startswith("#") and "FILE" in one.submit


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_its_parts_can_be_loaded(one):
    assert callable(one.read) and functions_of(one.home)
    assert not one.target or callable(one.write)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_its_variables_begin_as_only_its_variables_do(one):
    names = {name for names in one.variables.values() for text in names for name in re.findall(r"\b[A-Z]\w+", text)}
    assert names and not [name for name in names if not name.startswith(one.prefixes)]
    assert not [other.name for other in others(one.name) if any(name.startswith(other.prefixes) for name in names)]


def test_no_two_schedulers_have_the_same_command_ending_or_name():
    for one, other in combinations(ALL, 2):
        assert not set(one.names) & set(other.names)
        assert not set(one.endings) & set(other.endings)
        assert one.package == other.package or not one.all_commands & other.all_commands


def test_the_other_rooms_know_every_scheduler():
    """What a new scheduler still lacks outside jobs: filling, building, rehearsing, notebooks."""
    endings = {name: dialect(name).endings[0] for name in targets()}
    assert set(header.WRITERS) == set(PACKAGES)
    assert set(builder._SHAPES) == set(targets())
    assert set(run.SCHEDULERS) == set(dialects())
    assert endings == notebook._SUFFIX


@pytest.mark.parametrize("spelling", spellings())
def test_every_spelling_names_a_scheduler(spelling):
    assert spelling in dialect(spelling).names
    assert read_text("#!/bin/bash\n", spelling).scheduler == dialect(spelling).name


def test_an_unknown_scheduler_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="choose slurm, pbs, torque, lsf"):
        read_script("#!/bin/bash\n", "sge")


@pytest.mark.parametrize("name", ["check", "translate", "rehearse"])
def test_every_command_takes_the_same_schedulers(name):
    command = cli.LazyGroup().get_command(click.Context(cli.main), name)
    choice = next(option.type for option in command.params if option.name == "scheduler")
    assert list(choice.choices) == spellings()


@pytest.mark.parametrize("scheduler", [one.name for one in ALL])
def test_variables_of_every_other_scheduler_are_found(scheduler):
    for other in others(scheduler):
        for notion, names in other.variables.items():
            for name in (name for name in names if not name.startswith("$")):
                told = findings(scheduler, f'echo "${name}"')
                assert told.keys() & {"foreign_scheduler_variables", "pbs_variables_missing"}, (name, notion)


@pytest.mark.parametrize("scheduler", [one.name for one in ALL])
def test_commands_of_every_other_scheduler_are_found(scheduler):
    for command in sorted(command for other in others(scheduler) for command in other.all_commands):
        assert command in findings(scheduler, f"{command} 1").get("foreign_scheduler_commands", ""), command


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_its_own_variables_and_commands_are_not_foreign(one):
    names = [name for names in one.variables.values() for name in names if not name.startswith("$")]
    told = findings(one.name, *(f'echo "${name}"' for name in names), *(f"{name} 1" for name in one.all_commands))
    assert not told.keys() & {"foreign_scheduler_variables", "foreign_scheduler_commands", "unknown_pbs_variable"}


@pytest.mark.parametrize(
    ("scheduler", "line", "advice"),
    [
        ("slurm", 'cd "$LS_SUBCWD"', "LS_SUBCWD -> SLURM_SUBMIT_DIR"),
        ("slurm", "brequeue 1", "brequeue: scontrol requeue"),
        ("slurm", "qalter -l walltime=2:00:00 1", "qalter"),
        ("slurm", "bpeek 1", "bpeek"),
        ("pbs", "salloc", "salloc"),
        ("pbs", "sbcast data /tmp/data", "sbcast"),
        ("pbs", "echo $SLURM_JOB_ID", "SLURM_JOB_ID -> PBS_JOBID"),
        ("pbs", "echo $SBATCH_TIMELIMIT", "SBATCH_TIMELIMIT"),
        ("torque", "echo $SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_ID -> PBS_ARRAYID"),
        ("lsf", "qalter 1", "qalter"),
        ("lsf", "qsub next.sh", "qsub: bsub"),
        ("lsf", "squeue", "squeue: bjobs"),
        ("pbs", "squeue", "squeue: qstat"),
        ("lsf", "scontrol show hostnames", "scontrol: LSB_DJOB_HOSTFILE"),
    ],
)
def test_what_had_drifted_apart_is_found_with_its_equal(scheduler, line, advice):
    told = findings(scheduler, line)
    assert advice in told.get("foreign_scheduler_variables", "") + told.get("foreign_scheduler_commands", "")


@pytest.mark.parametrize("name", ["LS_COLORS", "LSF_SCALE", "QT_X11", "SBATCH_TIMELIMIT"])
def test_variables_of_no_other_scheduler_are_left_in_peace(name):
    assert "foreign_scheduler_variables" not in findings("slurm", f'echo "${name}"')


def test_torque_and_pbs_are_not_foreign_to_each_other():
    assert [one.name for one in others("torque")] == [one.name for one in others("pbs")] == ["slurm", "lsf"]
