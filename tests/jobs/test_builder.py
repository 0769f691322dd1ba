"""The builder of the notebook *Your job script*: what it writes is what was asked for, or it says why not."""

from itertools import product

import pytest

from workshop import sites
from workshop.jobs import read_script
from workshop.sites.builder import LAUNCHERS, Built, Wish, build, show
from workshop.sites.starts import starts

GIB = 1024**3


def serious(built: Built) -> list[str]:
    """Errors and warnings of the checker, in words. A site's form of account is left to be filled in."""
    fill_in = "placeholder_left_in_directive"
    return [finding.message for finding in built.findings if finding.severity != "note" and finding.rule != fill_in]


@pytest.mark.parametrize("name", sites.names())
def test_whatever_is_built_for_a_site_passes_the_check_and_asks_for_the_wish(name: str):
    for launcher, nodes, gpus in product(LAUNCHERS, (1, 2), (0, 1, 2, 4)):
        built = build(Wish(name, nodes=nodes, gpus=gpus, launcher=launcher))
        if built.refused:
            assert not built.text and len(built.refused.split()) > 5
            continue
        assert serious(built) == [], (launcher, nodes, gpus, built.text)
        request = read_script(built.text, built.scheduler).request
        assert (request.nodes, request.gpus_per_node) == (nodes, gpus), built.text
        assert request.time_s is not None and request.time_s >= 15 * 60


@pytest.mark.parametrize("name", ["generic-slurm", "generic-pbs", "generic-lsf"])
def test_one_wish_for_three_schedulers(name: str):
    built = build(Wish(name, nodes=2, gpus=3, cores=6, memory_gb=20, minutes=90, launcher="mpirun", account="proj"))
    request = read_script(built.text, built.scheduler).request
    assert (request.nodes, request.gpus_total, request.cpus_total) == (2, 6, 12)
    assert request.mem is not None and request.mem.value == 20 * GIB
    assert (request.time_s, request.account) == (90 * 60, "proj")
    assert any("write your cluster's own name" in note for note in built.notes)


def test_what_the_site_decides_is_written_for_it():
    dtu = build(Wish("dtu-hpc", cores=4, memory_gb=8))
    assert "rusage[mem=2GB]" in dtu.text, "LSF counts memory for each slot there"
    assert "2 GB for each slot" in dtu.asks_for
    kebnekaise = build(Wish("kebnekaise"))
    assert "--mem" not in kebnekaise.text, "memory comes with the cores there"
    assert "EDIT: your own account" in kebnekaise.text


def test_no_memory_asked_for_writes_none():
    for name in ("generic-slurm", "generic-pbs", "generic-lsf"):
        assert "mem" not in build(Wish(name, memory_gb=None)).text


def test_the_pbs_script_for_several_nodes_repeats_the_number_of_gpus():
    built = build(Wish("generic-pbs", nodes=2, gpus=3, cores=6))
    assert "ngpus=3" in built.text and "\ngpus=3 " in built.text
    assert "ompthreads=1" in built.text


def test_one_process_keeps_its_cores_and_starts_no_launcher():
    for name in ("generic-slurm", "generic-pbs", "generic-lsf"):
        text = build(Wish(name, launcher="python")).text
        assert "torchrun" not in text and "OMP_NUM_THREADS" not in text and "ompthreads" not in text
        assert text.rstrip().endswith("python scripts/train/one_device.py --epochs 5")


LAUNCHES = {
    ("generic-slurm", "torchrun", 1): "torchrun → ddp.py: 2 ranks on one node; they meet on this node (--standalone).",
    ("generic-slurm", "torchrun", 2): "srun → torchrun → ddp.py: 2 ranks on each of 2 nodes, 4 in all; they meet on "
    "the job's first node, at a port from the job's id.",
    ("generic-pbs", "mpirun", 2): "mpirun → python → ddp.py: 2 ranks on each of 2 chunks, 4 in all; they meet on the "
    "job's first node, at a port from the job's id.",
    ("generic-lsf", "torchrun", 2): "blaunch → torchrun → ddp.py: 2 ranks on each of 2 hosts, 4 in all; they meet on "
    "the job's first node, at a port from the job's id.",
    ("generic-lsf", "python", 1): "python → one_device.py: one process.",
}


@pytest.mark.parametrize(("wish", "words"), LAUNCHES.items())
def test_what_a_script_starts_is_said_below_what_it_asks_for(wish: tuple[str, str, int], words: str):
    name, launcher, nodes = wish
    built = build(Wish(name, nodes=nodes, gpus=1 if launcher == "python" else 2, launcher=launcher))
    assert built.starts == [f"Starts {words}"]
    assert f"{built.asks_for}\n{built.starts[0]}\n" in show(built)


HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node={tasks}\n#SBATCH --gpus-per-node=4\n\n"
LINES = {
    "srun torchrun --nproc-per-node=4 train.py": "srun → torchrun → train.py: 4 ranks on each of 2 nodes, 8 in all; "
    "where they meet is not said.",
    "srun torchrun --nnodes=2 --rdzv-endpoint=localhost:29500 --nproc-per-node=4 train.py": "srun → torchrun → "
    "train.py: 4 ranks on each of 2 nodes, 8 in all; they meet at localhost, at port 29500.",
    "accelerate launch --num_processes $N train.py": "accelerate launch → train.py: as many ranks on one node as "
    "--num_processes $N says.",
    "mpirun python $PROGRAM": "mpirun → python → a program whose name a variable holds: 1 rank on each of 2 nodes, 2 "
    "in all; where they meet is not said.",
}


@pytest.mark.parametrize(("line", "words"), LINES.items())
def test_what_other_scripts_start(line: str, words: str):
    assert starts(read_script(f"{HEAD.format(tasks=1)}srun hostname\n{line}\n".encode())) == [f"Starts {words}"]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (Wish("practice", gpus=8, cores=8), "the most is 4"),
        (Wish("practice", nodes=3), "2 nodes"),
        (Wish("practice", minutes=25 * 60), "24 h"),
        (Wish("practice", gpus=2, launcher="python"), "one process"),
        (Wish("practice", nodes=2, launcher="python"), "one process"),
        (Wish("practice", gpus=0), "at least one"),
        (Wish("practice", gpus=4, cores=2), "one core for each GPU"),
    ],
)
def test_a_refusal_says_why(wish: Wish, reason: str):
    built = build(wish)
    assert built.refused is not None and reason in built.refused
    assert "REFUSED" in show(built) and built.text == ""


def test_nonsense_is_an_error_and_no_script():
    with pytest.raises(ValueError, match="torchrun"):
        build(Wish("practice", launcher="deepspeed"))
    with pytest.raises(ValueError, match="at least 1"):
        build(Wish("practice", nodes=0))
    with pytest.raises(sites.SiteError, match="practice"):
        build(Wish("practise"))


@pytest.mark.parametrize("name", ["alvis", "narval", "practice"])
def test_the_status_is_shown_wherever_a_site_is(name: str):
    for built in (build(Wish(name)), build(Wish(name, gpus=99, cores=99))):
        assert sites.load_site(name).status_text in show(built)
