"""The exercises of the chapter: right answers in other forms pass, wrong ones are told what is wrong."""

import pytest

from workshop.book.sessions import FOLDER
from workshop.exercise import check, part

HEADERS = {
    "pbs": ("right.pbs", "#PBS -l select=2:ncpus=16:mpiprocs=16\n#PBS -l walltime=02:00:00\n", []),
    "lsf": ("right.lsf", '#BSUB -n 32\n#BSUB -R "span[ptile=16]"\n#BSUB -W 2:00\n', []),
    "totals": ("right.sbatch", "#SBATCH --nodes=2\n#SBATCH --ntasks=32\n#SBATCH --time=140\n", []),
    "no margin": (
        "tight.sbatch",
        "#SBATCH --nodes=2\n#SBATCH --ntasks=32\n#SBATCH --time=01:40:00\n",
        ["too short"],
    ),
    "past the promise": (
        "late.sbatch",
        "#SBATCH --nodes=2\n#SBATCH --ntasks=32\n#SBATCH --time=151\n",
        ["past the promised start"],
    ),
    "one node": (
        "narrow.sbatch",
        "#SBATCH --nodes=1\n#SBATCH --ntasks=32\n#SBATCH --time=120\n",
        ["more than 16 a node"],
    ),
    "fewer tasks": (
        "few.sbatch",
        "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n#SBATCH --time=120\n",
        ["needs 32 tasks"],
    ),
    "two cores a task": (
        "thick.sbatch",
        "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=16\n#SBATCH --cpus-per-task=2\n#SBATCH --time=120\n",
        ["2 cores each"],
    ),
    "a range of times": (
        "range.sbatch",
        "#SBATCH --nodes=2\n#SBATCH --ntasks=32\n#SBATCH --time-min=110\n#SBATCH --time=300\n",
        [],
    ),
    "chunks of one core": ("chunks.pbs", "#PBS -l select=32:ncpus=1\n#PBS -l walltime=02:00:00\n", []),
    "no time": ("endless.sbatch", "#SBATCH --nodes=2\n#SBATCH --ntasks=32\n", ["no walltime"]),
}


@pytest.mark.parametrize("case", HEADERS)
def test_fit_the_hole(case, tmp_path):
    name, header, wanted = HEADERS[case]
    path = tmp_path / name
    path.write_text(f"#!/bin/bash\n{header}\nset -euo pipefail\nhostname\n")
    problems = check("scheduling/fit_the_hole", path)
    assert len(problems) == len(wanted), problems
    for problem, words in zip(problems, wanted, strict=True):
        assert words in problem


def test_the_starter_of_fit_the_hole_is_too_wide_and_too_long():
    name = "scheduling/fit_the_hole"
    problems = check(name, part(name, "starter"))
    assert [words for words in ("4 nodes", "1440 min") if any(words in p for p in problems)] == ["4 nodes", "1440 min"]


RULES = {
    "forgets what is free now": (
        "now + walltime <= promised_start or nodes <= spare",
        "free",
    ),
    "forgets the spare nodes": ("nodes <= free and now + walltime <= promised_start", "nobody's way"),
    "one minute too strict": (
        "nodes <= free and (now + walltime < promised_start or nodes <= spare)",
        "nobody's way",
    ),
    "counts spare nodes twice": (
        "nodes <= free and (now + walltime <= promised_start or nodes <= spare + 1)",
        "in its way",
    ),
}


@pytest.mark.parametrize("case", RULES)
def test_keep_the_promise_names_the_fault(case, tmp_path):
    expression, words = RULES[case]
    path = tmp_path / "mine.py"
    path.write_text(f"def may_start(nodes, walltime, now, free, promised_start, spare):\n    return {expression}\n")
    problems = check("scheduling/keep_the_promise", path)
    assert len(problems) == 1
    assert words in problems[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def may_start(:\n", "does not load: SyntaxError"),
        ("x = 1\n", "must define a function may_start"),
        ("def may_start(*args):\n    return 1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_keep_the_promise_survives_broken_files(text, words, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(text)
    assert words in check("scheduling/keep_the_promise", path)[0]


@pytest.mark.parametrize("text", ["train wait", "a: [", "- wait\n"])
def test_read_the_reason_survives_broken_files(text, tmp_path):
    path = tmp_path / "mine.yml"
    path.write_text(text)
    assert check("scheduling/read_the_reason", path)


def test_a_job_behind_others_may_be_shortened(tmp_path):
    """The page says so of Priority: a shorter one may be put into a gap."""
    path = tmp_path / "mine.yml"
    path.write_text(part("scheduling/read_the_reason", "solution").read_text().replace("eval: wait", "eval: shorten"))
    assert not check("scheduling/read_the_reason", path)


def test_read_the_reason_tells_what_the_reason_says(tmp_path):
    path = tmp_path / "mine.yml"
    solution = part("scheduling/read_the_reason", "solution").read_text()
    path.write_text(solution.replace("sweep: shorten", "sweep: wait"))
    (problem,) = check("scheduling/read_the_reason", path)
    assert problem.startswith("sweep: not 'wait'")
    assert "more time than the partition" in problem


def test_the_reasons_of_the_exercise_are_those_that_slurm_printed():
    session = (FOLDER / "scheduling_reasons.t").read_text()
    starter = part("scheduling/read_the_reason", "starter").read_text()
    listing = [line.removeprefix("# ") for line in starter.splitlines() if line.endswith(")")]
    assert len(listing) == 9  # the heading and eight jobs
    for line in listing:
        assert f"  {line}\n" in session
