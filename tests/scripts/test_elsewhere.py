"""A job script copied alone to an empty folder works there once the lines marked ``# EDIT`` are right."""

import re
import shutil
from pathlib import Path

import pytest
from jobfiles import ENDINGS, path_of
from recording import IMAGES, assert_world, left_on
from test_job_scripts import ALL

from workshop.rehearse import rehearse

# What a script takes from outside of itself: an environment, programs, data, an image, modules, its own path.
FROM_OUTSIDE = re.compile(r"\.venv/|scripts/|(?<![\w/])data/|\.sif\b|\bmodule load\b")
# One that takes nothing from outside, one with data, one that also starts programs on several nodes.
STEMS = ["hello", "stage_data", "project_train"]


def commands(body: str) -> list[str]:
    """The script's lines, each with those that continue it after a backslash."""
    return re.findall(r"(?:.*\\\n)*.*\n?", body)


def edited(script: str, workplace: Path) -> str:
    """The script as a learner changes it: nothing but commands marked ``# EDIT``."""
    environment, programs = workplace / ".venv", workplace / "scripts" / "train"
    changed = []
    for command in commands(script):
        if "# EDIT" in command:
            command = command.replace("source .venv/bin/activate", f"source '{environment}/bin/activate'")
            command = re.sub(r"""["']?(?:\$code/)?scripts/train/(\w+\.py)["']?""", rf"'{programs}/\1'", command)
        changed.append(command)
    return "".join(changed)


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_all_from_outside_is_marked(scheduler, stem):
    body = path_of(scheduler, stem).read_text().split("\n\n", 1)[1]
    unmarked = [c for c in commands(body) if FROM_OUTSIDE.search(c) and "# EDIT" not in c]
    assert not unmarked, "a reader who copies the script can't see that this is to be changed"


@pytest.mark.parametrize("scheduler", list(ENDINGS))
@pytest.mark.parametrize("stem", STEMS)
def test_copied_alone_it_works(recorder, digits, disk, tmp_path, scheduler, stem):
    """Its programs are where its commands say, here a recorder in place of each; all else is in the new folder."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.move(digits.parent, folder / "data")
    script = folder / f"mine{ENDINGS[scheduler]}"
    script.write_text(edited(path_of(scheduler, stem).read_text(), recorder.workplace))
    result = rehearse(script, workdir=folder)
    assert (result.exit_code, result.timed_out) == (0, False), result.stdout
    launches = recorder.launches()
    assert [len(launch) for launch in launches] == {"hello": [], "stage_data": [1], "project_train": [2]}[stem]
    for record in recorder.records():
        assert (Path(record["cwd"]), record["data_files"]) == (folder, IMAGES)
    if stem == "project_train":
        assert_world(launches[0], {"node01": 1, "node02": 1}, folder)
    assert left_on(disk) == []
