"""A folder that the practice cluster did not make is never taken over, and nothing in it is removed."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from people import Person, left

from workshop.cluster import Cluster, ClusterError, accounting
from workshop.cluster.config import MARKER

pytestmark = pytest.mark.needs_slurm

# Folder -> files that somebody keeps in it.
FOLDERS = {
    "install_prefix": ["bin/mytool", "etc/conf", "var/state", "logs/log"],
    "home": ["bin/mytool", "etc/conf", "Documents/thesis"],
    "editor": ["settings.json"],
    "one hidden file": [".profile"],
    "logs": ["logs/log"],
}
TOUCHES = {
    "up": Cluster.up,
    "down": Cluster.down,
    "clear": lambda cluster: cluster._clear(logs=True),
    "running": lambda cluster: Cluster.running(cluster.places.state).__enter__(),
}


@pytest.fixture
def somebodys(tmp_path, require):
    """``somebodys(files)``: a folder with files in it, and what is in it (path -> text)."""
    require("slurm")

    def make(files: list[str]) -> Path:
        folder = tmp_path / "some folder"
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"my {name}")
        return folder

    return make


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("touch", TOUCHES)
@pytest.mark.parametrize("kind", FOLDERS)
def test_somebodys_folder_is_refused_and_stays(somebodys, kind, touch):
    folder = somebodys(FOLDERS[kind])
    before = contents(folder)
    with pytest.raises(ClusterError, match="Nothing in it was changed") as caught:
        TOUCHES[touch](Cluster(folder))
    assert str(folder) in caught.value.problem and MARKER in caught.value.problem
    assert "export WORKSHOP_CLUSTER_DIR=" in caught.value.mend
    assert contents(folder) == before
    assert not Cluster(folder).places.runtime.exists()


@pytest.mark.parametrize("touch", TOUCHES)
@pytest.mark.parametrize("place", [".", "..", "link", "with a marker"])
def test_a_home_folder_is_refused_though_it_is_empty(require, tmp_path, monkeypatch, place, touch):
    """Today's empty home has a ~/bin tomorrow."""
    require("slurm")
    home = tmp_path / "people" / "me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    (tmp_path / "link").symlink_to(home)
    if place == "with a marker":
        (home / MARKER).touch()
    before = list(tmp_path.rglob("*"))
    state = {"link": tmp_path / "link", "with a marker": home}.get(place, home / place)
    with pytest.raises(ClusterError, match="it is your home folder, or holds it"):
        TOUCHES[touch](Cluster(state))
    assert list(tmp_path.rglob("*")) == before


def test_down_removes_what_is_the_clusters_and_no_more(require, tmp_path):
    """Not what somebody put beside it, and nothing through a link."""
    require("slurm")
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    cluster = Cluster(state)
    assert cluster.up(want_accounting=False).healthy
    assert (state / MARKER).is_file()
    elsewhere.mkdir()
    (elsewhere / "mytool").touch()
    (state / "notes").touch()
    subprocess.run(["rm", "-r", str(state / "bin")], check=True)
    (state / "bin").symlink_to(elsewhere)
    assert cluster.down()
    assert sorted(os.listdir(state)) == [MARKER, "logs", "notes"]
    assert (elsewhere / "mytool").exists()


def test_messages_of_the_command(ordinary):
    """One plain message, for a folder of somebody else's; also from `status`, `env` and `shell`."""
    folder = ordinary.home / "things"
    ordinary.run(["mkdir", "-p", f"{folder}/thesis"])
    for words in (["up"], ["down"], ["status"], ["env"], ["shell", "true"]):
        result = ordinary.workshop(*words, WORKSHOP_CLUSTER_DIR=str(folder))
        assert result.returncode == 1
        problem, mend = result.stderr.splitlines()
        assert problem.startswith(f"Error: The state folder {folder} is not a practice cluster's: it holds thesis, but")
        assert mend.startswith("What to do: Choose a new or an empty one: export WORKSHOP_CLUSTER_DIR=")
    assert os.listdir(folder) == ["thesis"]


@pytest.mark.parametrize("name", ["state", "a state"])
def test_one_folder_by_two_names_is_one_cluster(tmp_path, name):
    """What was started by one name is found, and stopped, by the other."""
    (tmp_path / name).mkdir()
    (tmp_path / "a link").symlink_to(name)
    real, link = Cluster(tmp_path / name).places, Cluster(tmp_path / "a link").places
    assert (real.root, real.runtime) == (link.root, link.runtime)
    assert accounting.helper_mark(real) == accounting.helper_mark(link)


def earlier_version(person: Person) -> None:
    """Leave what an earlier version leaves that was killed: no marker, and settings without an address."""
    person.run(["mkdir", "-p", *(str(person.state / name) for name in ("etc", "var", "bin", "logs"))])
    settings = '{"first_port": 31000, "names": "namespace", "hostname": "login", "user": "me", "slurm": [22, 5]}'
    person.run(["sh", "-c", f"echo '{settings}' > '{person.state}/settings.json'"])


def test_an_earlier_versions_cluster_is_removed_by_hand(require, make_person):
    """The message has the command that says that it is ours; what then goes is what has always gone."""
    require("slurm")
    person = make_person("my home")
    earlier_version(person)
    result = person.workshop("up")
    assert result.returncode == 1
    command = re.search(r"nothing of yours, and then: (.*)", result.stderr)[1]
    assert (person.state / "settings.json").exists()
    done = person.run(["sh", "-ec", command.replace("workshop cluster", f"{person.python()} -m workshop cluster")])
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(person.state)) == [MARKER, "logs"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs two users: root comes to an ordinary user's cluster")
def test_another_users_cluster_is_refused(ordinary):
    """As with `sudo workshop cluster down`."""
    ordinary.run(["mkdir", "-p", f"{ordinary.state}/etc"])
    ordinary.run(["touch", f"{ordinary.state}/{MARKER}"])
    with pytest.raises(ClusterError, match="another user's practice cluster"):
        Cluster(ordinary.state).down()
    assert left(ordinary) == [MARKER, "etc"]
