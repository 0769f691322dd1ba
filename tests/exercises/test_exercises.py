"""Each exercise's check refuses the starter, with a reason, and accepts the solution."""

import os
import subprocess
import sys

import pytest

from workshop import exercise

NAMES = exercise.all_exercises()


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_is_not_accepted(name: str):
    problems = exercise.check(name, exercise.part(name, "starter"))
    assert problems
    assert all(len(problem.split()) >= 4 for problem in problems), "a problem is a sentence that helps"


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_is_accepted(name: str):
    assert exercise.check(name, exercise.part(name, "solution")) == []


def run(*args: str, cwd) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "workshop", "exercise", *args], cwd=cwd, capture_output=True, text=True
    )


def test_start_never_overwrites_a_learners_file(tmp_path):
    name = NAMES[0]
    first = run("start", name, "mine", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    (tmp_path / "mine").write_text("hours of work")
    second = run("start", name, "mine", cwd=tmp_path)
    assert second.returncode == 1
    assert "left as it is" in second.stderr
    assert (tmp_path / "mine").read_text() == "hours of work"


def test_start_says_that_the_starter_is_for_another_scheduler(tmp_path):
    done = run("start", "first_job/ask_for_more", "mine.pbs", cwd=tmp_path)
    assert done.returncode == 0 and "the starter is a .sbatch file" in done.stdout


def test_check_tells_by_its_exit_code(tmp_path):
    name = NAMES[0]
    assert run("check", name, str(exercise.part(name, "starter")), cwd=tmp_path).returncode == 1
    assert run("check", name, str(exercise.part(name, "solution")), cwd=tmp_path).returncode == 0


def test_an_unknown_exercise_lists_the_known_ones(tmp_path):
    result = run("start", "no/such", cwd=tmp_path)
    assert result.returncode == 2
    assert NAMES[0] in result.stderr


def test_a_path_may_be_a_plain_string():
    name = NAMES[0]
    assert exercise.check(name, str(exercise.part(name, "solution"))) == []


def test_a_change_of_the_same_length_in_the_same_second_is_read(tmp_path):
    """Python's compiled copy of a file names it by whole seconds and length only."""
    mine = tmp_path / "mine.py"
    right = exercise.part("clusters/usable_cores", "solution").read_text()
    mine.write_text(right)
    os.utime(mine, (1_000_000_000, 1_000_000_000))
    assert exercise.check("clusters/usable_cores", mine) == []
    mine.write_text(right.replace("return max(1,", "return min(1,"))
    os.utime(mine, (1_000_000_000, 1_000_000_000))
    assert exercise.check("clusters/usable_cores", mine) != []


@pytest.mark.extensive
def test_exact_validation_sees_images_that_a_sampler_repeats(tmp_path):
    """Sums over all ranks, as is right, but of shares that DistributedSampler has made equal."""
    mine = tmp_path / "mine.py"
    starter = exercise.part("ddp_one_node/exact_validation", "starter").read_text()
    wrong = (
        starter.replace(".double().mean())", ".double().sum())")
        .replace("torch.stack(accuracies).mean()", "torch.stack(accuracies).sum()")
        .replace("(mean / world_size)", "(mean / len(val_set))")
    )
    assert wrong.count(".sum()") == 2 and "len(val_set)).item()" in wrong
    mine.write_text(wrong)
    problems = exercise.check("ddp_one_node/exact_validation", mine)
    assert any("1 images on 2 ranks: accuracy 2.0" in problem for problem in problems)


@pytest.mark.extensive
def test_to_ddp_says_who_must_call_a_collective(tmp_path):
    """The most frequent mistake: rank 0 alone adds up the losses. What Gloo says of it differs from run to run."""
    mine = tmp_path / "mine.py"
    right = exercise.part("ddp_one_node/to_ddp", "solution").read_text()
    wrong = right.replace("        dist.all_reduce(total)", "        if rank == 0:\n            dist.all_reduce(total)")
    assert wrong != right
    mine.write_text(wrong)
    (problem,) = exercise.check("ddp_one_node/to_ddp", mine)
    assert "all processes must call all_reduce" in problem
