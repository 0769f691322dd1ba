"""A translated job starts the same processes as the one that it was made from: both are run, with a recorder inside.

Each process writes a row: node, rank, local rank, size of the world, cores that it may use as the launcher counts them,
folder, program and its words. Slurm's side runs on the practice cluster, those of PBS and LSF in rehearsals.
What is compared by the scripts alone: tests/jobs/test_translate_equal.py.
"""

import re
from pathlib import Path

import pytest
from job_workplace import make_workplace
from jobfiles import ENDINGS, path_of
from recording import Recorder
from test_slurm import call, wait

from workshop.jobs.translate import translate
from workshop.rehearse import rehearse

# One for each launcher: blaunch, pbsdsh and srun with torchrun, mpirun, torchrun alone.
STEMS = ("ddp_multi_node", "ddp_multi_node_mpirun", "ddp_single_node")
# Every launcher and direction once; the other pairs take too long for a quarter of an hour.
SELECTED = {
    ("ddp_multi_node", "lsf", "slurm"),
    ("ddp_multi_node", "pbs", "lsf"),
    ("ddp_multi_node_mpirun", "lsf", "pbs"),
    ("ddp_multi_node_mpirun", "pbs", "slurm"),
    ("ddp_multi_node", "slurm", "lsf"),
    ("ddp_single_node", "slurm", "pbs"),
}
PAIRS = [
    pytest.param(*pair, marks=pytest.mark.slow if pair in SELECTED else pytest.mark.extensive)
    for pair in ((stem, source, to) for stem in STEMS for source in ENDINGS for to in ENDINGS if source != to)
]


def rows(scheduler: str, script: Path, folder: Path, cluster) -> list[tuple]:
    """What the processes of a job wrote, by rank; nodes by the order in which they come."""
    workplace = make_workplace(folder)
    recorder = Recorder(workplace)
    if scheduler == "slurm":
        job = call(cluster, workplace, "sbatch", "--parsable", str(script)).split("\n")[0].split(";")[0]
        (state,) = wait(cluster, workplace, job)
        log = Path(state["StdOut"]).read_text()
        assert state["JobState"] == "COMPLETED", log
    else:
        result = rehearse(script, workdir=workplace)
        assert result.exit_code == 0, result.stdout
    nodes: list[str] = []
    for record in recorder.records():
        nodes += [record["node"]] if record["node"] not in nodes else []
    return sorted(_row(record, sorted(nodes), workplace) for record in recorder.records())


def _row(record: dict, nodes: list[str], workplace: Path) -> tuple:
    """The row of a process; the job's number in a word stands as ID."""
    words = tuple(re.sub(r"^(ddp-)\d+(\.\w+)?$", r"\1ID", word) for word in record["words"])
    place = nodes.index(record["node"])
    inside = Path(record["cwd"]).relative_to(workplace.resolve())
    numbers = (record["world_size"], record["local_world_size"], record["node_count"])
    return (*numbers, place, record["local_rank"], str(inside), record["program"], words)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The rows of the course's own scripts, each run once."""
    found: dict[tuple[str, str], list[tuple]] = {}

    def get(scheduler: str, stem: str, cluster) -> list[tuple]:
        if (scheduler, stem) not in found:
            folder = tmp_path_factory.mktemp("original") / "work"
            found[scheduler, stem] = rows(scheduler, path_of(scheduler, stem), folder, cluster)
        return found[scheduler, stem]

    return get


@pytest.mark.needs_slurm
@pytest.mark.parametrize(("stem", "source", "to"), PAIRS)
def test_same_processes_before_and_after(stem, source, to, tmp_path, cluster, original, require, monkeypatch):
    if "mpirun" in stem or to != "slurm":
        require("mpi")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    new = tmp_path / f"job{ENDINGS[to]}"
    new.write_text(translate(path_of(source, stem), to).text)
    before = original(source, stem, cluster)
    assert before, "the job started no process"
    assert rows(to, new, tmp_path / "work", cluster) == before
