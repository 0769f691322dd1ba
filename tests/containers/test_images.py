"""The images that can be built here: their tests pass, they say what they are, and PyTorch and MPI work inside."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.apptainer import images, tree
from workshop.paths import REPO

pytestmark = [pytest.mark.needs_apptainer, pytest.mark.slow, pytest.mark.timeout(900)]
TRAIN = "scripts/train/ddp.py"
TITLES = {
    "base": "Debian base",
    "hello": "hello",
    "mpi": "Open MPI",
    "opengl": "OpenGL cube",
    "pytorch-cpu": "PyTorch CPU",
}
TITLES["visual"] = "ParaView"


@pytest.fixture
def apptainer(require, tmp_path):
    """``apptainer("exec", image, …)``: run it in an empty folder; what it printed and its exit status."""
    require("apptainer")

    def call(*args, cwd=tmp_path, **env) -> subprocess.CompletedProcess:
        command = [tree.find(), *map(str, args)]
        return subprocess.run(
            command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    return call


@pytest.mark.parametrize(
    "name",
    [*images.LOCAL, *(pytest.param(n, marks=[pytest.mark.extensive, pytest.mark.timeout(1800)]) for n in images.LARGE)],
)
def test_an_image_passes_its_test_and_says_what_it_is(apptainer, image, say, name):
    path = image(name)
    tested = apptainer("test", path)
    assert tested.returncode == 0, tested.stderr
    labels = apptainer("inspect", path).stdout
    assert f"org.opencontainers.image.title: {TITLES[name]}\n" in labels, "the base's label would stay without --force"
    assert apptainer("run-help", path).stdout.strip().splitlines()[0].strip() in images.definition(name).read_text()
    assert "%post" in apptainer("inspect", "--deffile", path).stdout
    say(f"{name}.def: its image was built, apptainer test passed, labels and help are there")


def test_exec_run_and_shell(apptainer, image):
    hello = image("hello")
    assert "ID=debian" in apptainer("exec", hello, "cat", "/etc/os-release").stdout
    assert apptainer("run", hello, "you").stdout.startswith("Hello you from Debian GNU/Linux 12 (bookworm) on ")
    assert apptainer("exec", hello, "false").returncode == 1


def test_the_image_is_read_only_and_an_overlay_is_not(apptainer, image, tmp_path):
    hello = image("hello")
    refused = apptainer("exec", hello, "touch", "/opt/new")
    assert refused.returncode == 1 and "Read-only file system" in refused.stderr
    (tmp_path / "changes").mkdir()
    assert apptainer("exec", "--overlay", "changes", hello, "touch", "/opt/new").returncode == 0
    assert apptainer("exec", "--overlay", "changes", hello, "ls", "/opt").stdout == "new\n"
    assert apptainer("exec", hello, "ls", "/opt").stdout == ""


def result(text: str) -> dict[str, str]:
    """The numbers of the last line of a training."""
    (line,) = re.findall(r"^result: (.+)$", text, flags=re.M)
    return dict(pair.split("=") for pair in line.split())


def test_two_processes_inside_train_as_those_outside(apptainer, image, say, tmp_path):
    options = ["--standalone", "--nproc-per-node=2", TRAIN, "--epochs", "2", "--runs", str(tmp_path)]
    env = {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    path = image("pytorch-cpu")
    bind = f"{REPO},{tmp_path}"
    inside = apptainer("exec", "--bind", bind, path, "torchrun", *options, "--name", "in", cwd=REPO, **env)
    assert inside.returncode == 0, inside.stderr
    assert "world_size=2" in inside.stdout
    outside = subprocess.run(
        [str(Path(sys.executable).with_name("torchrun")), *options, "--name", "out"],
        cwd=REPO,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )
    assert outside.returncode == 0, outside.stderr
    ours, theirs = result(inside.stdout), result(outside.stdout)
    assert abs(float(ours["train_loss"]) - float(theirs["train_loss"])) < 2e-3
    say(f"DDP with two processes, train_loss: {ours['train_loss']} in the image, {theirs['train_loss']} outside")


def test_the_home_folder_does_not_reach_into_the_image(apptainer, image, tmp_path):
    """~/.local and PYTHONPATH hold a broken torch; pytorch-cpu.def shuts both out."""
    site = tmp_path / ".local/lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (site / "torch.py").write_text("raise SystemExit('the torch of ~/.local')\n")
    program = ["python", "-c", "import torch; print(torch.__version__)"]
    env = {"PYTHONPATH": str(site)}
    done = apptainer("exec", "--home", tmp_path, image("pytorch-cpu"), *program, **env)
    assert done.stdout == "2.13.0+cpu\n", done.stderr


# The Apptainer of the tests runs under another user id than mpirun, and PMIx checks it. Elsewhere both are the same.
MPI = {
    "PMIX_MCA_psec": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def test_mpirun_of_the_host_makes_one_world(require, image, tmp_path):
    require("mpi")
    command = ["mpirun", "-np", "2", "--oversubscribe", tree.find(), "exec", str(image("mpi")), "mpi-ranks"]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **MPI}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = sorted(done.stdout.splitlines())
    assert [line.split(" on ")[0] for line in lines] == ["rank 0 of 2", "rank 1 of 2"]
    assert all(line.endswith("sum of all ranks 1") for line in lines)


def srun(cluster, image, folder, *options: str) -> subprocess.CompletedProcess:
    """Two tasks of Slurm that start mpi-ranks in the image; ``options`` of srun, then of apptainer."""
    command = ["srun", "--ntasks=2", *options, str(image("mpi")), "mpi-ranks"]
    return cluster.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        stdin=subprocess.DEVNULL,
        env=cluster.environment(),
    )


def test_srun_without_pmix_is_refused_by_open_mpi(require, cluster, image, tmp_path):
    require("apptainer")
    done = srun(cluster, image, tmp_path, "--mpi=none", tree.find(), "exec")
    assert done.returncode != 0
    assert "OMPI was not built with SLURM's PMI support" in done.stderr


def test_without_the_environment_each_rank_is_a_world_of_its_own(require, cluster, image, tmp_path):
    """Nobody tells the two processes of each other, and nobody complains."""
    require("apptainer")
    done = srun(cluster, image, tmp_path, tree.find(), "exec", "--cleanenv")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert len(lines) == 2 and all(line.startswith("rank 0 of 1 on ") for line in lines), done.stdout


def build(apptainer, image, tmp_path, post: str):
    (tmp_path / "broken.def").write_text(f"Bootstrap: localimage\nFrom: {image('base')}\n\n%post\n{post}")
    return apptainer("build", "broken.sif", "broken.def")


def test_a_failed_command_in_post_ends_the_build(apptainer, image, tmp_path):
    done = build(apptainer, image, tmp_path, "    false\n    echo not reached\n")
    text = done.stdout + done.stderr
    assert done.returncode == 255
    assert "while running %post section: exit status 1" in text and "not reached" not in text
    assert not (tmp_path / "broken.sif").exists()


def test_an_argument_without_a_value_is_named(apptainer, tmp_path):
    done = apptainer("build", "base.sif", REPO / "containers/base.def")
    assert done.returncode == 255
    assert "build var MIRROR is not defined" in done.stderr
