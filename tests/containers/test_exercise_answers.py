"""The checks of the chapter's exercises accept other right answers, and name what is wrong in near misses."""

import pytest

from workshop import exercise


def check(name: str, tmp_path, *changes: tuple[str, str]) -> list[str]:
    """The check's word on the solution of an exercise after these replacements."""
    solution = exercise.part(f"apptainer/{name}", "solution")
    text = solution.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    mine = tmp_path / f"mine{solution.suffix}"
    mine.write_text(text)
    return exercise.check(f"apptainer/{name}", mine)


@pytest.mark.parametrize(
    "line",
    [
        'srun apptainer exec --nv -B "$SLURM_SUBMIT_DIR" --pwd "$PWD" "$image" \\',
        'export APPTAINER_NV=1 APPTAINER_BIND=$PWD\nsrun apptainer exec "$image" \\',
        'srun --kill-on-bad-exit=1 apptainer exec --nv --no-home --bind="$PWD,/tmp" "$image" \\',
    ],
)
def test_other_ways_to_start_the_container(tmp_path, monkeypatch, line):
    old = 'srun apptainer exec --nv --bind "$PWD" "$image" \\'
    body = line.replace("$SLURM_SUBMIT_DIR", "$PWD")
    assert check("mend_job", tmp_path, (old, body)) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ('--bind "$PWD"', "no GPU"),
        ("--nv", "not in the container"),
        ('--nv --bind "$PWD" -e', "world size is 1"),
        ('--nv --bind "$PWD" --containall', "world size is 1"),
    ],
)
def test_a_container_without_something(tmp_path, options, words):
    (problem,) = check("mend_job", tmp_path, ('--nv --bind "$PWD"', options))
    assert words in problem


def test_other_right_translations(tmp_path):
    changes = [
        ("/opt/app/requirements.txt\n    train.py /opt/app/train.py", "/opt/app/\n    train.py /opt/app/"),
        ("-r /opt/app/requirements.txt", "--requirement /opt/app/requirements.txt"),
        ("export PYTHONUNBUFFERED=1", "PYTHONUNBUFFERED=1\n    export PYTHONUNBUFFERED"),
    ]
    assert check("translate", tmp_path, *changes) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'exec python3 /opt/app/train.py "$@"',
            'cd /opt/app && exec python3 train.py "$@"',
            "stay in the user's folder",
        ),
        ('/opt/app/train.py "$@"', "/opt/app/train.py $@", "in quotes"),
        ("set -- --epochs 5", "true", "CMD gave --epochs 5"),
        ("export PYTHONUNBUFFERED=1", "PYTHONUNBUFFERED=1", "export"),
        ("debian:12.11-slim", "debian:latest", "another one each month"),
    ],
)
def test_near_misses_of_the_translation(tmp_path, old, new, words):
    assert any(words in problem for problem in check("translate", tmp_path, (old, new)))


def test_other_right_definitions(tmp_path):
    changes = [
        ("From: python:3.11.13-slim-bookworm", "From: docker.io/library/python:3.12.11-slim"),
        ("--yes --no-install-recommends graphviz", "-y graphviz"),
        ("torch==2.13.0 scikit-learn==1.9.1", "\\\n        'torch==2.13.0' \\\n        scikit-learn==1.9.1"),
    ]
    assert check("mend_definition", tmp_path, *changes) == []
