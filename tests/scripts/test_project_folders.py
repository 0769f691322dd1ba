"""`project_train` puts its data into a folder of its own on each node, also where others may write beside it.

What is tested is the script's staging, in rehearsals; a recorder plays torchrun.
"""

import fcntl
import os
import subprocess
from pathlib import Path

import pytest
from jobfiles import ENDINGS, path_of

from workshop.rehearse import Rehearsal, rehearse

SCRIPTS = {name: path_of(name, "project_train") for name in ENDINGS}
ALL = pytest.mark.parametrize("scheduler", list(SCRIPTS))
# The first number that a rehearsal gives (each test counts anew): anybody can guess the folder's name.
FOLDER = {"slurm": "train-10001", "pbs": "train-10001.head", "lsf": "train-10001"}
# Notes what the training would read, and the folder's mode and owner. Like torchrun it begins once both nodes are
# there, and ends once both are done; the job's time limit ends a wait for a node that does not come.
TORCHRUN = """#!/bin/bash
both() {
    echo >> "$WORKPLACE/$1"
    until (($(wc --lines < "$WORKPLACE/$1") == 2)); do sleep 0.05; done
}
while [[ $1 != --data-dir ]]; do shift; done
both begun
cat "$2/one" >> "$WORKPLACE/read"
stat --format='%a %u' "${2%/*}" >> "$WORKPLACE/folders"
both done
"""
TOO_LONG_S = 150  # a job that waits for a lock is warned 30 s after its start and ends; all need about a second
NOBODY = 65534


@pytest.fixture(autouse=True)
def counted_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Job ids begin at 10001 in each test; no process listens on a port made from them."""
    monkeypatch.setenv("WORKSHOP_REHEARSE_DIR", str(tmp_path / "rehearse"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder to submit from: the data, and an environment whose torchrun is the recorder."""
    folder = tmp_path / "project"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").write_text(f'export PATH="{folder}/.venv/bin:$PATH" WORKPLACE="{folder}"\n')
    (folder / ".venv" / "bin" / "torchrun").write_text(TORCHRUN)
    (folder / ".venv" / "bin" / "torchrun").chmod(0o755)
    (folder / "data" / "digits").mkdir(parents=True)
    (folder / "data" / "digits" / "one").write_text("our data\n")
    subprocess.run(["tar", "--create", "--file=digits.tar", "digits"], cwd=folder / "data", check=True)
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A temporary folder as on a node: everybody may write to it, and remove only what is their own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def run(scheduler: str, project: Path, place: Path) -> Rehearsal:
    """The script with its line for the node's disk edited, as the comment in it says."""
    text = SCRIPTS[scheduler].read_text()
    (line,) = [line for line in text.splitlines() if line.startswith("place=")]
    script = project / SCRIPTS[scheduler].name
    script.write_text(text.replace(line, f"place='{place}'"))
    return rehearse(script, workdir=project, walltime_s=TOO_LONG_S)


def assert_trained(result: Rehearsal, project: Path, place: Path) -> None:
    assert (result.exit_code, result.timed_out) == (0, False), result.stdout
    assert (project / "read").read_text() == "our data\n" * 2, "on each of two nodes"
    assert (project / "folders").read_text() == f"700 {os.geteuid()}\n" * 2
    assert list(place.iterdir()) == []


@ALL
def test_the_folder_is_ours_alone_and_gone_afterwards(project, place, scheduler):
    assert_trained(run(scheduler, project, place), project, place)


@ALL
def test_what_a_killed_run_left_is_unpacked_again(project, place, scheduler):
    """A requeued job finds its own folder where the first run was killed; a file may have been written by half."""
    (place / FOLDER[scheduler] / "digits").mkdir(parents=True, mode=0o700)
    (place / FOLDER[scheduler]).chmod(0o700)
    (place / FOLDER[scheduler] / "digits" / "one").write_text("our")
    assert_trained(run(scheduler, project, place), project, place)


@ALL
def test_a_lock_of_somebody_else_holds_nobody_up(project, place, scheduler):
    held = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert_trained(run(scheduler, project, place), project, place)
    finally:
        os.close(held)


# Plays a training that is told to stop in the job's first run, on both nodes, and ends well in the second.
STOPPED_ONCE = """#!/bin/bash
while [[ $1 != --runs ]]; do shift; done
marker=$2/$4/REQUEUE
echo >> "$WORKPLACE/starts"
if (($(wc --lines < "$WORKPLACE/starts") <= 2)); then
    mkdir --parents "$2/$4" && touch "$marker"
    # Both have begun, or this one's end would end the other before its line is there, and the second run stop, too.
    until (($(wc --lines < "$WORKPLACE/starts") >= 2)); do sleep 0.05; done
    exit 1
fi
/bin/rm --force "$marker"
"""


BUSY = """#!/bin/bash
[[ $1 == --recursive ]] || exec /bin/rm "$@"
echo rm: busy >&2
exit 1
"""


@pytest.mark.parametrize("scheduler", ["slurm", "lsf"])
def test_a_folder_that_cannot_be_removed_does_not_keep_the_job_from_going_on(project, place, scheduler):
    for name, text in (("torchrun", STOPPED_ONCE), ("rm", BUSY)):
        (project / ".venv" / "bin" / name).write_text(text)
        (project / ".venv" / "bin" / name).chmod(0o755)
    result = run(scheduler, project, place)
    assert "rm: busy" in result.stdout and "may be left on a node" in result.stdout
    assert (result.restarts, result.exit_code) == (1, 0), result.stdout


# Plays a training that is told to stop in the job's first run; in the second one it ends before it has begun.
BROKEN_AFTER_STOP = """#!/bin/bash
runs=runs
while (($#)); do
    [[ $1 == --runs ]] && runs=$2
    [[ $1 == --name ]] && name=$2
    shift
done
stopped=$WORKPLACE/stopped
if mkdir "$stopped" 2> /dev/null; then
    mkdir --parents "$runs/$name" && touch "$runs/$name/REQUEUE" "$stopped/once"
fi
until [[ -e $stopped/once ]]; do sleep 0.05; done  # or the other node's end would end this one before that
exit 1
"""


@ALL
@pytest.mark.parametrize("stem", ["requeue", "project_train"])
def test_the_marker_of_an_earlier_run_does_not_bring_a_broken_job_back(project, place, scheduler, stem):
    """Else a job whose environment is broken, say, would go back into the queue for ever."""
    (project / ".venv" / "bin" / "torchrun").write_text(BROKEN_AFTER_STOP)
    script = project / "scripts" / scheduler / path_of(scheduler, stem).name
    script.parent.mkdir(parents=True)
    script.write_text(path_of(scheduler, stem).read_text().replace("place=$", f"place='{place}' #"))
    result = rehearse(script, workdir=project, walltime_s=TOO_LONG_S)
    again = result.submitted if scheduler == "pbs" else [result] * result.restarts
    assert len(again) == 1, result.stdout
    assert again[0].exit_code != 0 and not again[0].submitted


def link(folder: Path, target: Path) -> None:
    """A link to a folder that is our own: what is unpacked through it would overwrite our files."""
    folder.symlink_to(target)


def other_user(folder: Path, target: Path) -> None:
    """A folder of another user, open to all, with data of their choice."""
    target.rename(folder)
    for path in (folder, folder / "digits", folder / "digits" / "one"):
        path.chmod(0o777)
        os.chown(path, NOBODY, NOBODY)


# Only root can make what belongs to somebody else; the link is refused for everybody.
FOREIGN = [link, other_user] if os.geteuid() == 0 else [link]


@ALL
@pytest.mark.parametrize("made_first", FOREIGN, ids=lambda make: make.__name__)
def test_a_folder_that_somebody_else_made_first_is_refused(project, place, tmp_path, scheduler, made_first):
    target, folder = tmp_path / "target", place / FOLDER[scheduler]
    (target / "digits").mkdir(parents=True)
    (target / "digits" / "one").write_text("data of another\n")
    made_first(folder, target)
    result = run(scheduler, project, place)
    assert folder.name == f"train-{result.job_id}", "the name was guessed"
    assert result.exit_code != 0
    assert f"{folder} belongs to somebody else" in result.stdout
    assert not (project / "read").exists(), "no training on what somebody else has chosen"
    assert (folder / "digits" / "one").read_text() == "data of another\n"
    assert [path.name for path in (folder / "digits").iterdir()] == ["one"]
