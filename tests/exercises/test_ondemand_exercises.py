"""The form of the desktop: what its check says of other answers than starter and solution."""

import pytest
import yaml

from workshop import exercise

NAME = "ondemand/desktop_form"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"bc_num_hours": 1}, ["bc_num_hours: 1 is too little"]),
        ({"cores": 1}, ["cores: 1 is too little"]),
        ({"cores": "4"}, ["cores must be a whole number"]),
        ({"memory_gb": 4}, ["memory_gb: 4 is too little"]),
        ({"memory_gb": 32}, ["memory_gb: 32 is too much"]),
        ({"gpus": 1}, ["gpus: 1 is too much"]),
        ({"bc_queue": "gpu"}, ["bc_queue: 'gpu'"]),
        ({"bc_hours": 2}, ["The form has no field bc_hours"]),
        ({"memory_gb": 16, "cores": 2, "bc_num_hours": 3, "bc_account": "p1"}, []),
    ],
)
def test_other_forms(tmp_path, changed, said):
    values = yaml.safe_load(exercise.part(NAME, "solution").read_text()) | changed
    mine = tmp_path / "mine.yml"
    mine.write_text(yaml.safe_dump(values))
    problems = exercise.check(NAME, mine)
    assert len(problems) == len(said), problems
    assert all(problem.startswith(words) for problem, words in zip(problems, said, strict=True))
