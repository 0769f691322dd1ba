"""mpirun in a body: the real Open MPI where installed, else a stand-in; both as recorded (tests/records/pbs/06)."""

import os
import re
import shutil

import pytest

OMPI = "$OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK"
WHO = f"bash -c 'echo $(hostname) {OMPI} ${{A-}} ${{PBS_JOBID:+job}}'"
SCATTER = ["-l select=2:ncpus=2:mpiprocs=2", "-l place=scatter", "-j oe"]
# part of the record -> options of mpirun, and rank -> node, local rank
CASES = {
    "3": ('--hostfile "$PBS_NODEFILE"', [("node01", 0), ("node01", 1), ("node02", 0), ("node02", 1)]),
    "4": (
        '-np 4 --hostfile "$PBS_NODEFILE" --map-by node -x A',
        [("node01", 0), ("node02", 0), ("node01", 1), ("node02", 1)],
    ),
    "7": ('-np 2 --map-by ppr:1:node --hostfile "$PBS_NODEFILE"', [("node01", 0), ("node02", 0)]),
}


def check(result, case: str) -> None:
    options, expected = CASES[case]
    seen = {}
    # "-j oe": a line of mpirun itself (a warning about the machine) may stand between those of the ranks.
    for line in re.findall(r"^node\d+ \d.*", result.stdout, flags=re.MULTILINE):
        node, rank, size, local, *rest = line.split()
        assert int(size) == len(expected)
        # As recorded: the scheduler's variables reach only the first node, exported ones need -x.
        assert ("job" in rest) == (node == "node01"), line
        assert ("1" in rest) == ("-x A" in options), line
        seen[int(rank)] = (node, int(local))
    assert [seen[rank] for rank in sorted(seen)] == expected, result.stdout


@pytest.mark.needs_mpi
@pytest.mark.parametrize("case", CASES)
def test_real_open_mpi(job, require, case):
    require("mpi")
    body = f"A=1 mpirun {CASES[case][0]} {WHO}" if "-x A" in CASES[case][0] else f"mpirun {CASES[case][0]} {WHO}"
    result = job("pbs", SCATTER, body)
    assert result.exit_code == 0, result.stdout
    check(result, case)


@pytest.fixture
def no_mpi(monkeypatch, tmp_path) -> None:
    """A PATH without Open MPI: links to what else a job needs."""
    folder = tmp_path / "few"
    folder.mkdir()
    for program in ("bash", "sh", "env", "cat", "sleep", "unshare", "setpriv", "hostname", "mount", "id"):
        real = shutil.which(program, path=os.environ["PATH"] + os.pathsep + "/usr/sbin")
        assert real, f"no {program} on this machine"
        (folder / program).symlink_to(real)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr("workshop.rehearse.pbs.DEFAULT_PATH", str(folder))


@pytest.mark.parametrize("case", CASES)
def test_stand_in(job, no_mpi, case):
    options = CASES[case][0]
    result = job("pbs", SCATTER, f"{'A=1 ' if '-x A' in options else ''}mpirun {options} {WHO}")
    assert result.exit_code == 0, result.stdout
    check(result, case)


def test_stand_in_refuses_too_many(job, no_mpi):
    result = job("pbs", SCATTER, 'mpirun -np 5 --hostfile "$PBS_NODEFILE" hostname')
    assert result.exit_code != 0 and "not enough slots" in result.stdout


@pytest.mark.needs_mpi
def test_mpirun_in_slurm_uses_srun(job, require):
    """Open MPI with Slurm support starts its daemons with srun; ranks on all nodes (case B11 of the known failures)."""
    require("mpi")
    result = job("slurm", ["--nodes=2", "--ntasks-per-node=2"], f"mpirun -np 4 {WHO} | sort -k2")
    assert [line.split()[:4] for line in result.stdout.splitlines()] == [
        ["node01", "0", "4", "0"],
        ["node01", "1", "4", "1"],
        ["node02", "2", "4", "0"],
        ["node02", "3", "4", "1"],
    ]
