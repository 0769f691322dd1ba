"""The exercises of *When it goes wrong* take other right answers, and refuse near misses with a hint."""

import pytest
import yaml

from workshop import exercise
from workshop.yaml_files import read_yaml

JOB, LOGS = "troubleshooting/honest_job", "troubleshooting/find_the_cause"
SET = "set -euo pipefail\n"
RUN = "torchrun --standalone --nproc-per-node=2 scripts/train/ddp.py | tee training.txt\n"


@pytest.fixture
def job(tmp_path):
    """``job((old, new), …)``: what the check says of the solution with these changes."""

    def check(*changes: tuple[str, str]) -> list[str]:
        text = exercise.part(JOB, "solution").read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "mine.sbatch"
        path.write_text(text)
        return exercise.check(JOB, path)

    return check


@pytest.mark.parametrize(
    "changes",
    [
        [(SET, "set -e\n"), (" | tee training.txt", " > training.txt")],
        [(SET, ""), (RUN, RUN + "code=${PIPESTATUS[0]}\nif ((code != 0)); then exit $code; fi\n")],
        [("%x-%j.out", "log-%j.txt")],
        [("#SBATCH --output=%x-%j.out\n", "")],
        [("torchrun --stand", "srun torchrun --stand")],
    ],
)
def test_other_right_jobs(job, changes):
    assert job(*changes) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([(SET, "set -e\n")], "pipefail"),
        ([(SET, "")], "'done'"),
        ([("%x-%j.out", "%x.out")], "%j"),
        ([("%x-%j.out", "logs/%x-%j.out")], "makes no folders"),
        ([("echo", "# echo")], "does not say 'done'"),
        ([(RUN, "")], "not started"),
        ([(SET, SET + "exit 1\n")], "not started"),
    ],
)
def test_near_misses(job, changes, says):
    assert says in " ".join(job(*changes))


@pytest.mark.parametrize(
    ("log", "answer", "says"),
    [
        ("ranks.log", {"line": 9, "cause": "file"}, None),
        ("ranks.log", {"line": 28, "cause": "network"}, "consequence|rank 0 saw"),
        ("limit.log", {"line": 15, "cause": "time"}, "look earlier"),
        ("environment.log", {"line": 4, "cause": "file"}, "did not even start"),
        ("killed.log", {"line": "three", "cause": "memory"}, "number"),
        ("killed.log", None, "two keys"),
    ],
)
def test_answers(tmp_path, log, answer, says):
    given = read_yaml(exercise.part(LOGS, "solution"))
    given[log] = answer
    path = tmp_path / "mine.yml"
    path.write_text(yaml.safe_dump(given))
    problems = " ".join(exercise.check(LOGS, path))
    assert any(word in problems for word in says.split("|")) if says else problems == ""
