"""launch.detect() on the environments of all launchers: recorded ones, then those that cannot be had here."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import launch

RECORDS = Path(__file__).parents[1] / "records"
NAMES = {
    "OMPI_RANK": "OMPI_COMM_WORLD_RANK",
    "SIZE": "OMPI_COMM_WORLD_SIZE",
    "LRANK": "OMPI_COMM_WORLD_LOCAL_RANK",
    "LSIZE": "OMPI_COMM_WORLD_LOCAL_SIZE",
    "NODERANK": "OMPI_COMM_WORLD_NODE_RANK",
    "NODEFILE": "PBS_NODEFILE",
    "OMP": "OMP_NUM_THREADS",
}


def between(record: str, start: str, end: str = r"^(##|====|rc=)") -> list[str]:
    """The lines of a record after the one that starts with ``start``, up to the next heading."""
    lines = (RECORDS / record).read_text(encoding="utf-8", errors="replace").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(start)) + 1
    last = next((n for n in range(first, len(lines)) if re.match(end, lines[n])), len(lines))
    return lines[first:last]


def environments(lines: list[str], nodefile: Path | None = None) -> list[tuple[str, dict[str, str]]]:
    """Lines 'node01 OMPI_RANK=0 SIZE=2 …' -> (host, environment), with our path of the node file."""
    found = []
    for line in lines:
        host, _, rest = line.partition(" ")
        words = re.findall(r"(\w+)=(.*?)(?= +\w+=|$)", rest)
        env = {NAMES.get(name, name): value.strip() for name, value in words if value.strip()}
        if "PBS_NODEFILE" in env and nodefile:
            env["PBS_NODEFILE"] = str(nodefile)
        found.append((host, env))
    return found


def env_blocks(record: str) -> list[tuple[dict[str, str], list[str]]]:
    """All printed environments of a record, with the lines of the node file that follow (PBS)."""
    blocks, env, hosts = [], None, None
    for line in (RECORDS / record).read_text(encoding="utf-8", errors="replace").splitlines():
        if match := re.match(r"^([A-Za-z_]\w*)=(.*)$", line):
            if env is None or hosts is not None:
                env, hosts = {}, None
            env[match[1]] = match[2]
        elif line.startswith("--- hostname") and env:
            blocks.append((env, hosts := []))
        elif line.startswith("node") and hosts is not None and " " not in line:
            hosts.append(line)
        elif line.startswith("====="):
            env, hosts = None, None
    return blocks


@pytest.fixture
def nodefile(tmp_path):
    path = tmp_path / "nodefile"
    path.write_text("node01\nnode01\nnode02\nnode02\n")
    return path


# --- recorded: PBS and LSF


def test_a_pbs_batch_script_is_no_launcher(tmp_path):
    blocks = env_blocks("pbs/01_env.txt")
    assert len(blocks) >= 8
    for env, hosts in blocks:
        path = tmp_path / "nodefile"
        path.write_text("\n".join(hosts) + "\n")
        found = launch.detect(env | {"PBS_NODEFILE": str(path)})
        assert (found.launcher, found.world_size, found.job_id) == ("none", 1, env["PBS_JOBID"])
        assert bool(found.hint) == (len(hosts) > 1)
        if found.hint:
            assert f"{len(hosts)} places" in found.hint


def test_an_lsf_batch_script_is_no_launcher():
    blocks = env_blocks("lsf/01_env.txt")
    assert len(blocks) >= 8
    for env, _ in blocks:
        found = launch.detect(env)
        assert (found.launcher, found.world_size) == ("none", 1)
        # Slots are cores: several on one host may be meant for one process.
        assert bool(found.hint) == (len(set(env["LSB_HOSTS"].split())) > 1)
    elements = [env for env, _ in blocks if env["LSB_JOBINDEX"] != "0"]
    assert len({launch.port_from_job_id(launch.detect(env).job_id) for env in elements}) == len(
        {(env["LSB_JOBID"], env["LSB_JOBINDEX"]) for env in elements}
    ), "two elements of an array may run on one node: their ports must differ"


def test_open_mpi_in_a_pbs_job_on_one_node(nodefile):
    ranks = environments(between("pbs/06_mpi_dsh_depend_rerun_json.txt", "## 1) mpirun cmd (no -np"), nodefile)
    assert len(ranks) == 2
    for number, (_, env) in enumerate(ranks):
        found = launch.detect(env)
        assert found == launch.Launch("openmpi", number, number, 2, 2, 1, "127.0.0.1", 20107, "107.head")


@pytest.mark.parametrize("heading", ["## 3) mpirun --hostfile PBS_NODEFILE", "## 4) mpirun -np 4 --hostfile"])
def test_open_mpi_over_ssh_needs_the_master_on_other_nodes(nodefile, heading):
    ranks = environments(between("pbs/06_mpi_dsh_depend_rerun_json.txt", heading), nodefile)
    assert len(ranks) == 4
    passed_on = {"MASTER_ADDR": "node01", "MASTER_PORT": "20107"}
    found = [launch.detect(env | passed_on) for _, env in ranks]
    assert sorted(f.rank for f in found) == [0, 1, 2, 3]
    assert {(f.world_size, f.node_count, f.master_addr, f.master_port) for f in found} == {(4, 2, "node01", 20107)}
    for host in ("node01", "node02"):
        assert sorted(f.local_rank for f, (h, _) in zip(found, ranks, strict=True) if h == host) == [0, 1]
    for host, env in ranks:
        if host == "node01":  # the node of the job script knows the node file and the job's id
            assert launch.detect(env).master_addr == "node01"
        else:
            with pytest.raises(launch.LaunchError, match=r"mpirun -x MASTER_ADDR="):
                launch.detect(env)
            with pytest.raises(launch.LaunchError, match=r"no MASTER_PORT"):
                launch.detect(env | {"MASTER_ADDR": "node01"})


def test_open_mpi_in_an_lsf_job():
    for heading, nodes in (
        ("## 1) mpirun cmd", 1),
        ("## 3) mpirun --hostfile made from", 2),
        ("## 4) LSB_HOSTS", 2),
    ):
        ranks = [
            (host, env)
            for host, env in environments(between("lsf/05_depend_mpi_requeue.txt", heading))
            if "OMPI_COMM_WORLD_RANK" in env
        ]
        assert len(ranks) == 2 * nodes, heading
        for host, env in ranks:
            given_env = env if host == "node03" else env | {"MASTER_ADDR": "node03", "MASTER_PORT": "20345"}
            found = launch.detect(given_env)
            assert (found.launcher, found.world_size, found.node_count) == ("openmpi", 2 * nodes, nodes)
            assert (found.master_addr, found.master_port) == ("127.0.0.1" if nodes == 1 else "node03", 20345)


def test_mpich_in_pbs_and_lsf_jobs(nodefile):
    lines = (RECORDS / "mpich_hydra.txt").read_text().splitlines()
    ranks = environments([line for line in lines if re.match(r"node\d+ PMI_RANK=", line)], nodefile)
    assert len(ranks) == 8
    for host, env in ranks:
        found = launch.detect(env)
        first, other = ("node01", "node02") if "PBS_JOBID" in env else ("node03", "node02")
        assert (found.launcher, found.world_size, found.local_world_size, found.node_count) == (
            "mpich",
            4,
            2,
            2,
        )
        assert found.master_addr == first and host in (first, other)
        assert found.local_rank == found.rank % 2
        assert found.master_port == (20150 if "PBS_JOBID" in env else 20367)


def test_pbsdsh_recorded_tasks_are_refused_with_the_remedy(nodefile):
    ranks = environments(between("pbs/06_mpi_dsh_depend_rerun_json.txt", "## pbsdsh mpienv"), nodefile)
    assert len(ranks) == 4
    for _, env in ranks:  # two tasks on each node, and nothing that tells them apart
        with pytest.raises(launch.LaunchError, match="pbsdsh -- env WORLD_SIZE=2 MASTER_ADDR="):
            launch.detect(env)


def test_pbsdsh_with_one_task_a_node():
    env = {"PBS_JOBID": "109.head", "PBS_TASKNUM": "20000003", "PBS_NODENUM": "1"}
    found = launch.detect(env | {"WORLD_SIZE": "2", "MASTER_ADDR": "node01"})
    assert found == launch.Launch("pbsdsh", 1, 0, 2, 1, 2, "node01", 20109, "109.head")


# --- Slurm

SLURM_JOB = {
    "SLURM_JOB_ID": "4711",
    "SLURM_JOB_NODELIST": "cpu[1-2]",
    "SLURM_NTASKS": "4",
    "SLURM_NNODES": "2",
    "SLURM_JOB_NUM_NODES": "2",
    "SLURM_TASKS_PER_NODE": "2(x2)",
    "SLURM_PROCID": "0",
    "SLURM_LOCALID": "0",
    "SLURM_NODEID": "0",
}
SLURM_STEP = SLURM_JOB | {
    "SLURM_STEP_ID": "0",
    "SLURM_STEP_NODELIST": "cpu[1-2]",
    "SLURM_STEP_NUM_TASKS": "4",
    "SLURM_STEP_NUM_NODES": "2",
    "SLURM_STEP_TASKS_PER_NODE": "2(x2)",
    "SLURM_LAUNCH_NODE_IPADDR": "10.0.0.99",  # where srun was called: maybe the login node
}


def test_srun():
    env = SLURM_STEP | {"SLURM_PROCID": "3", "SLURM_LOCALID": "1", "SLURM_NODEID": "1"}
    assert launch.detect(env) == launch.Launch("slurm", 3, 1, 4, 2, 2, "cpu1", 24711, "4711")


def test_srun_with_fewer_tasks_than_the_job():
    env = SLURM_STEP | {
        "SLURM_STEP_NUM_TASKS": "1",
        "SLURM_STEP_NUM_NODES": "1",
        "SLURM_STEP_TASKS_PER_NODE": "1",
    }
    env["SLURM_STEP_NODELIST"] = "cpu1"
    assert launch.detect(env) == launch.Launch("slurm", 0, 0, 1, 1, 1, "127.0.0.1", 24711, "4711")


def test_srun_with_unequal_nodes():
    env = SLURM_STEP | {"SLURM_STEP_NUM_TASKS": "3", "SLURM_STEP_TASKS_PER_NODE": "2,1"}
    found = launch.detect(env | {"SLURM_PROCID": "2", "SLURM_NODEID": "1"})
    assert (found.rank, found.local_rank, found.local_world_size, found.world_size) == (2, 0, 1, 3)


@pytest.mark.parametrize(
    "step",
    [{}, {"SLURM_STEP_ID": "4294967291"}, {"SLURM_STEP_ID": "4294967290"}],
    ids=["batch", "0xfffffffb", "salloc"],
)
def test_a_slurm_job_without_srun_is_one_process_with_a_hint(step):
    found = launch.detect(SLURM_JOB | step)
    assert (found.launcher, found.world_size) == ("none", 1)
    assert "4 tasks" in found.hint and "srun python" in found.hint


@pytest.mark.parametrize("pmi", [{"PMI_RANK": "3", "PMI_SIZE": "4"}, {"PMIX_RANK": "3", "PMIX_NAMESPACE": "slurm.1"}])
def test_srun_that_also_speaks_pmi(pmi):
    env = SLURM_STEP | {"SLURM_PROCID": "3", "SLURM_LOCALID": "1", "SLURM_NODEID": "1"}
    assert launch.detect(env | pmi).launcher == "slurm"
    assert launch.detect(env | pmi).local_rank == 1


def test_mpirun_inside_slurm_reads_mpirun_not_its_helper():
    """Measured with Open MPI 4.1.4: ranks 2 and 3 see the helper's PROCID=1, LOCALID=0, NTASKS=2."""
    helper = SLURM_STEP | {
        "SLURM_PROCID": "1",
        "SLURM_LOCALID": "0",
        "SLURM_NTASKS": "2",
        "SLURM_STEP_NUM_TASKS": "2",
    }
    for rank in (2, 3):
        mpi = {"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": str(rank),
               "OMPI_COMM_WORLD_LOCAL_RANK": str(rank - 2), "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}  # fmt: skip
        assert launch.detect(helper | mpi) == launch.Launch("openmpi", rank, rank - 2, 4, 2, 2, "cpu1", 24711, "4711")


# --- torchrun and by hand

TORCHRUN = {
    "RANK": "3", "LOCAL_RANK": "1", "WORLD_SIZE": "4", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": "1",
    "GROUP_WORLD_SIZE": "2", "MASTER_ADDR": "cpu1", "MASTER_PORT": "29517", "TORCHELASTIC_RUN_ID": "4711",
    "TORCHELASTIC_RESTART_COUNT": "0", "TORCHELASTIC_USE_AGENT_STORE": "True",
}  # fmt: skip
ONE_TORCHRUN_A_NODE = {"SLURM_STEP_NUM_TASKS": "2", "SLURM_STEP_TASKS_PER_NODE": "1(x2)"}


@pytest.mark.parametrize("around", [{}, SLURM_JOB, SLURM_STEP | ONE_TORCHRUN_A_NODE], ids=["alone", "batch", "srun"])
def test_torchrun_wins(around):
    found = launch.detect(around | TORCHRUN)
    assert found == launch.Launch("torchrun", 3, 1, 4, 2, 2, "cpu1", 29517, around.get("SLURM_JOB_ID", ""))


def test_several_torchruns_on_a_node_are_refused():
    with pytest.raises(launch.LaunchError, match="2 torchruns on this node"):
        launch.detect(SLURM_STEP | TORCHRUN)
    with pytest.raises(launch.LaunchError, match="4 torchruns on this node"):
        launch.detect(TORCHRUN | {"OMPI_COMM_WORLD_LOCAL_SIZE": "4"})


def test_variables_by_hand():
    env = {"RANK": "1", "WORLD_SIZE": "2", "LOCAL_RANK": "0", "MASTER_ADDR": "cpu1", "MASTER_PORT": "23456"}
    assert launch.detect(env | {"LOCAL_WORLD_SIZE": "1"}) == launch.Launch("environment", 1, 0, 2, 1, 2, "cpu1", 23456)
    with pytest.raises(launch.LaunchError, match="no WORLD_SIZE"):
        launch.detect({"RANK": "0"})
    with pytest.raises(launch.LaunchError, match="no LOCAL_RANK"):
        launch.detect({name: value for name, value in env.items() if name != "LOCAL_RANK"})
    with pytest.raises(launch.LaunchError, match="RANK was exported once"):
        launch.detect(SLURM_STEP | env | {"RANK": "0", "SLURM_PROCID": "1"})
    with pytest.raises(launch.LaunchError, match="contradict"):
        launch.detect(env | {"RANK": "2"})
    with pytest.raises(launch.LaunchError, match="should be a number"):
        launch.detect(env | {"RANK": "$SLURM_PROCID"})


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.0.0.11", "LOCALHOST", "::1"])
def test_localhost_cannot_be_the_master_of_several_nodes(name):
    with pytest.raises(launch.LaunchError, match="rank 0 of its own"):
        launch.detect(SLURM_STEP | {"MASTER_ADDR": name})
    one_node = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "0"}
    found = launch.detect(one_node | {"OMPI_COMM_WORLD_LOCAL_SIZE": "2", "MASTER_ADDR": name})
    assert found.master_addr == name


# --- launchers that cannot be had here


def test_cray_pals(nodefile):
    nodefile.write_text("x1000c0s0b0n0\nx1000c0s1b0n0\n")  # one line a node, as on Polaris and Aurora
    env = {"PALS_RANKID": "5", "PALS_LOCAL_RANKID": "1", "PALS_LOCAL_SIZE": "4", "PALS_NODEID": "1",
           "PBS_JOBID": "88.pbs01", "PBS_NODEFILE": str(nodefile), "PBS_TASKNUM": "1"}  # fmt: skip
    expected = launch.Launch("pals", 5, 1, 8, 4, 2, "x1000c0s0b0n0", 20088, "88.pbs01")
    assert launch.detect(env) == expected
    assert launch.detect(env | {"PMI_RANK": "5", "PMI_SIZE": "8", "PMI_LOCAL_RANK": "1"}) == expected
    with pytest.raises(launch.LaunchError, match="--env WORLD_SIZE=8"):
        launch.detect({name: value for name, value in env.items() if name != "PBS_NODEFILE"})


def test_intel_mpi():
    env = {"PMI_RANK": "2", "PMI_SIZE": "4", "MPI_LOCALRANKID": "0", "MPI_LOCALNRANKS": "2", "I_MPI_PIN": "1",
           "SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "n[01-02]"}  # fmt: skip
    assert launch.detect(env) == launch.Launch("mpich", 2, 0, 4, 2, 2, "n01", 20012, "12")


def test_hydra_started_through_srun_is_not_taken_for_srun():
    env = SLURM_STEP | {"SLURM_STEP_NUM_TASKS": "2", "PMI_RANK": "0", "PMI_SIZE": "4", "MPI_LOCALRANKID": "0",
                        "MPI_LOCALNRANKS": "2"}  # fmt: skip
    assert (launch.detect(env).launcher, launch.detect(env).world_size) == ("mpich", 4)


def test_jsrun_leaves_out_the_launch_node(tmp_path):
    ranks = tmp_path / "rankfile"
    ranks.write_text("batch5\n" + "h41n01\n" * 4 + "h41n02\n" * 4)
    env = {"JSM_NAMESPACE_RANK": "5", "JSM_NAMESPACE_SIZE": "8", "JSM_NAMESPACE_LOCAL_RANK": "1",
           "JSM_NAMESPACE_LOCAL_SIZE": "4", "OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "8",
           "LSB_JOBID": "1234567", "LSB_MCPU_HOSTS": "batch5 1 h41n01 4 h41n02 4"}  # fmt: skip
    port = 20000 + (1234567 + 7 * 123) % 10000  # ids that agree modulo 10000 get ports of their own
    expected = launch.Launch("jsrun", 5, 1, 8, 4, 2, "h41n01", port, "1234567")
    assert launch.detect(env) == expected
    assert launch.detect(env | {"LSB_DJOB_RANKFILE": str(ranks)}) == expected


HALF_A_JOB = {"LSB_JOBID": "77", "LSB_MCPU_HOSTS": "batch1 1 c1 42"}
# Two processes of one node, and by which variable two launches of the same job differ.
SIDE_BY_SIDE = {
    "jsrun": ("PMIX_NAMESPACE", HALF_A_JOB | {"JSM_NAMESPACE_RANK": "1", "JSM_NAMESPACE_SIZE": "2",
              "JSM_NAMESPACE_LOCAL_RANK": "1", "JSM_NAMESPACE_LOCAL_SIZE": "2"}),
    "mpich": ("I_MPI_HYDRA_UUID", {"PMI_RANK": "1", "PMI_SIZE": "2", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2",
              "SLURM_JOB_ID": "77", "SLURM_JOB_NODELIST": "c1"}),
    "mvapich2": ("MPIRUN_ID", {"MV2_COMM_WORLD_RANK": "1", "MV2_COMM_WORLD_SIZE": "2", "MV2_COMM_WORLD_LOCAL_RANK": "1",
                 "MV2_COMM_WORLD_LOCAL_SIZE": "2", "PBS_JOBID": "77.head"}),
}  # fmt: skip


@pytest.mark.parametrize("launcher", SIDE_BY_SIDE)
def test_two_launches_of_one_job_stay_apart(launcher):
    name, env = SIDE_BY_SIDE[launcher]
    one, other = (launch.detect(env | {name: number}) for number in ("4001", "4002"))
    assert one.launcher == launcher and one.launch_id and one.launch_id != other.launch_id
    assert one.master_port != other.master_port
    assert launch.detect(env | {name: "4001"}).master_port == one.master_port


@pytest.mark.parametrize("name", ["MV2", "MVP"])  # MVAPICH from 3.0 on has the second
def test_mvapich(name):
    env = {f"{name}_COMM_WORLD_{key}": value for key, value in
           {"RANK": "5", "SIZE": "8", "LOCAL_RANK": "1", "LOCAL_SIZE": "4"}.items()}  # fmt: skip
    found = launch.detect(env | {"MASTER_ADDR": "n1", "MASTER_PORT": "29400"})
    assert found == launch.Launch("mvapich2", 5, 1, 8, 4, 2, "n1", 29400)
    with pytest.raises(launch.LaunchError, match=f"{name}_COMM_WORLD_LOCAL_RANK"):  # not a world of one
        launch.detect({f"{name}_COMM_WORLD_LOCAL_RANK": "1", "PMI_ID": "5"})


def test_pals_with_unequal_nodes_asks_for_the_size(nodefile):
    """mpiexec -n 7 --ppn 4: the second node has three, and 2 x 3 processes are too few for rank 6."""
    env = {"PALS_RANKID": "6", "PALS_LOCAL_RANKID": "2", "PALS_LOCAL_SIZE": "3", "PBS_NODEFILE": str(nodefile)}
    with pytest.raises(launch.LaunchError, match="--env WORLD_SIZE="):
        launch.detect(env | {"PBS_JOBID": "88.pbs01"})


def test_an_unreadable_list_of_lsf_is_refused():
    env = {"LSF_PM_TASKID": "1", "LSB_JOBID": "77", "LSB_MCPU_HOSTS": "hostA one hostB 1"}
    with pytest.raises(launch.LaunchError, match="LSB_MCPU_HOSTS='hostA one hostB 1'"):
        launch.detect(env)


def test_blaunch():
    env = {"LSF_PM_TASKID": "2", "LSB_JOBID": "77", "LSB_JOBINDEX": "0", "LSB_MCPU_HOSTS": "hostA 1 hostB 1"}
    assert launch.detect(env) == launch.Launch("blaunch", 1, 0, 2, 1, 2, "hostA", 20077, "77")
    with pytest.raises(launch.LaunchError, match="more than one process on a host"):
        launch.detect(env | {"LSF_PM_TASKID": "3"})


def test_pmix_alone_is_refused():
    with pytest.raises(launch.LaunchError, match="only says its number"):
        launch.detect({"PMIX_RANK": "1", "PMIX_NAMESPACE": "prun-1"})


def test_half_an_mpirun_is_refused():
    with pytest.raises(launch.LaunchError, match="no OMPI_COMM_WORLD_SIZE"):
        launch.detect({"OMPI_COMM_WORLD_RANK": "1"})
    with pytest.raises(launch.LaunchError, match="no MPI_LOCALRANKID"):
        launch.detect({"PMI_RANK": "1", "PMI_SIZE": "2"})


def test_every_refusal_says_what_it_saw_means_and_asks_for():
    with pytest.raises(launch.LaunchError) as error:
        launch.detect({"RANK": "0"})
    lines = str(error.value).splitlines()
    assert [line.split(":")[0].strip() for line in lines] == ["launch", "That means", "What to do"]


# --- lists, counts, ports


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("n[01-03,07],g1", ["n01", "n02", "n03", "n07", "g1"]),
        ("cpu1", ["cpu1"]),
        ("r[1-2]n[8-9]-ib", ["r1n8-ib", "r1n9-ib", "r2n8-ib", "r2n9-ib"]),
        ("a,b,c", ["a", "b", "c"]),
        ("n[098-101]", ["n098", "n099", "n100", "n101"]),
        ("", []),
    ],
)
def test_expand_hosts(text, hosts):
    assert launch.expand_hosts(text) == hosts


def test_expand_hosts_refuses_an_open_bracket():
    with pytest.raises(ValueError, match="brackets"):
        launch.expand_hosts("n[01-03")


def test_expand_hosts_agrees_with_slurm(require, tmp_path):
    require("slurm")
    (tmp_path / "slurm.conf").write_text("ClusterName=x\nSlurmctldHost=localhost\nNodeName=n1\n")
    environment = os.environ | {"SLURM_CONF": str(tmp_path / "slurm.conf")}
    for text in ("n[01-03,07],g1", "r[1-2]n[8-9]", "x[9-11]", "a,b[1,3]"):
        words = ["scontrol", "show", "hostnames", text]
        shown = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        assert shown.returncode == 0, shown.stderr
        assert launch.expand_hosts(text) == shown.stdout.split()


@pytest.mark.parametrize(("text", "counts"), [("4(x2),3", [4, 4, 3]), ("1", [1]), ("2,1(x3)", [2, 1, 1, 1])])
def test_expand_counts(text, counts):
    assert launch.expand_counts(text) == counts


def test_expand_counts_refuses_nonsense():
    with pytest.raises(ValueError, match=r"4\(x2\),3"):
        launch.expand_counts("4(2)")


@given(st.integers(min_value=0, max_value=2**31))
def test_ports_lie_below_the_ephemeral_range(job):
    port = launch.port_from_job_id(str(job))
    assert port == 20000 + job % 10000  # what a job script computes in bash
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert port < min(first, 32768)


@given(st.text(min_size=1))
def test_any_job_id_gives_a_port(job):
    assert 20000 <= launch.port_from_job_id(job) < 30000


def test_array_elements_get_their_own_ports():
    assert launch.port_from_job_id("11[2].head") != launch.port_from_job_id("11[3].head")
    assert launch.port_from_job_id("12345.head") == launch.port_from_job_id("12345") == 22345


def test_detect_works_without_torch():
    code = "import sys; sys.modules['torch'] = None; import launch; print(launch.detect({}).launcher)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=launch.__file__.rsplit("/", 1)[0],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "none", done.stderr
