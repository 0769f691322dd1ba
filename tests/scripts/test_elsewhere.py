"""A job script copied alone to an empty folder works there once the lines marked ``# EDIT`` are right."""

import re
from pathlib import Path

import pytest
from job_training import write_digits
from jobfiles import ENDINGS, path_of
from test_job_scripts import ALL

from workshop.paths import REPO
from workshop.rehearse import rehearse

# What a script takes from outside of itself: an environment, programs, data, an image, modules, its own path.
FROM_OUTSIDE = re.compile(r"\.venv/|scripts/|(?<![\w/])data/|\.sif\b|\bmodule load\b")
# One that takes nothing from outside, one with data, one that starts programs on several nodes, one with all of it.
STEMS = ["hello", "stage_data", "ddp_multi_node", "project_train"]


def commands(body: str) -> list[str]:
    """The script's lines, each with those that continue it after a backslash."""
    return re.findall(r"(?:.*\\\n)*.*\n?", body)


def edited(script: str, environment: Path) -> str:
    """The script as a learner changes it: nothing but commands marked ``# EDIT``."""
    programs = REPO / "scripts" / "train"
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
def test_copied_alone_it_works(workplace, tmp_path, scheduler, stem):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if stem in ("stage_data", "project_train"):
        write_digits(folder)
    script = folder / f"mine{ENDINGS[scheduler]}"
    script.write_text(edited(path_of(scheduler, stem).read_text(), workplace / ".venv"))
    result = rehearse(script, workdir=folder)
    assert (result.exit_code, result.timed_out) == (0, False), result.stdout
