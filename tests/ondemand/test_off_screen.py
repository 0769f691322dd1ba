"""Pictures from jobs, without a desktop: the cube through EGL, and ParaView's surfaces from the image of visual.def."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from desktop_session import counted
from ondemand_app import CUBE, SCENE

from workshop.apptainer import tree
from workshop.paths import REPO

FRAMES = CUBE.with_name("measure_frames.py")


def test_the_cube_turns_without_a_display(require, tmp_path):
    require("desktop")
    env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    pictures = []
    for turn in (30, 75):
        command = [sys.executable, str(CUBE), "--picture", f"{turn}.png", "--turn", str(turn)]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0 and "OpenGL renderer: llvmpipe" in done.stdout, done.stderr
        pictures.append((tmp_path / f"{turn}.png").read_bytes())
    assert pictures[0] != pictures[1]


@pytest.mark.needs_apptainer
@pytest.mark.slow
def test_the_small_image_draws_the_same_without_a_display(require, image, tmp_path):
    """With its own Mesa, which may be another version: each side of the cube covers as much."""
    require("desktop")
    (tmp_path / "opengl.sif").symlink_to(image("opengl"))
    env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    for command in (
        [str(tree.find()), "--quiet", "run", "opengl.sif", "--picture", "inside.png"],
        [sys.executable, str(CUBE), "--picture", "outside.png"],
    ):
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0 and "llvmpipe" in done.stdout, done.stderr
    sides = [(230, 51, 51), (242, 204, 51), (178, 76, 204)]
    inside, outside = (counted(tmp_path / f"{where}.png", sides) for where in ("inside", "outside"))
    assert min(outside) > 1000
    assert inside == pytest.approx(outside, rel=0.01)


def measure(out, *words: str) -> subprocess.CompletedProcess:
    """Measure a small scene for a moment."""
    small = ["--size", "64x48", "--cubes", "2", "--seconds", "0.05", "--repeats", "2"]
    command = [sys.executable, str(FRAMES), "--out", str(out), *small, *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_rates_come_with_what_drew_them(require, tmp_path):
    require("desktop")
    out = tmp_path / "frames.json"
    done = measure(out, "--cores", "1")
    assert done.returncode == 0, done.stderr
    record = json.loads(out.read_text())
    assert record["setting"] == {"size": "64x48", "cubes": 8, "triangles": 96, "seconds": 0.05, "repeats": 2}
    assert record["hardware"]["cpu"]
    row = record["stages"]["1 core"]
    assert "llvmpipe" in row["renderer"]
    for key in ("frames_per_s", "frames_read_per_s"):
        assert 0 < row[f"{key}_min"] <= row[key] <= row[f"{key}_max"]


def test_rows_of_different_scenes_do_not_mix(require, tmp_path):
    require("desktop")
    out = tmp_path / "frames.json"
    assert measure(out, "--cores", "1").returncode == 0
    before = out.read_text()
    done = measure(out, "--cores", "1", "--cubes", "3")
    assert done.returncode == 1 and "another machine or scene" in done.stderr
    assert out.read_text() == before


def test_cores_are_not_taken_for_a_card(require, tmp_path):
    """On a machine without a GPU, Mesa would draw where a card was asked for."""
    require("desktop")
    if shutil.which("nvidia-smi"):
        pytest.skip("this machine has an NVIDIA driver, so the card may draw")
    done = measure(tmp_path / "frames.json")
    assert done.returncode == 1 and "card was asked for, and llvmpipe" in done.stderr
    assert not (tmp_path / "frames.json").exists()


JOB = """#!/bin/bash
#SBATCH --job-name=surfaces
#SBATCH --output=surfaces-%j.out
#SBATCH --time=00:10:00
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G

set -euo pipefail
unset DISPLAY
apptainer --quiet exec {image} headless pvbatch {scene} surfaces.png {turn}
"""


@pytest.mark.extensive
@pytest.mark.needs_slurm
@pytest.mark.needs_apptainer
@pytest.mark.timeout(1800)
def test_pvbatch_draws_in_a_job(cluster, image, say, tmp_path, with_facts):
    """Two pictures, from two sides; somebody who asked for pictures gets the first one for the notebook."""
    shutil.copy(SCENE, tmp_path)
    seen = []
    for turn in (30, 75):
        script = tmp_path / "surfaces.sbatch"
        script.write_text(JOB.format(image=image("visual"), scene=SCENE.name, turn=turn))
        done = cluster.run(
            ["sbatch", "--wait", "--parsable", str(script)],
            cwd=tmp_path, env=cluster.environment(), capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        log = (tmp_path / f"surfaces-{done.stdout.strip()}.out").read_text()
        assert done.returncode == 0, log
        assert "surfaces.png: ParaView 5.11, llvmpipe" in log
        if turn == 30 and (folder := os.environ.get("WORKSHOP_PICTURES")):
            shutil.copy(tmp_path / "surfaces.png", f"{folder}/ondemand_surfaces.png")
            with_facts(f"{folder}/ondemand_surfaces.png")
        (tmp_path / "surfaces.png").rename(tmp_path / f"{turn}.png")
        white = counted(tmp_path / f"{turn}.png", [(255, 255, 255)])[0]
        assert 60_000 < white < 600 * 480, "surfaces before a white ground"
        seen.append((tmp_path / f"{turn}.png").read_bytes())
    assert seen[0] != seen[1]
    say("pvbatch in a job, in the image of visual.def and without a display: two pictures of ParaView, by llvmpipe")


def test_the_notebooks_picture_of_paraview_says_when_it_was_drawn():
    """It is shown where the image is missing."""
    from PIL import Image

    with Image.open(REPO / "book" / "assets" / "ondemand_surfaces.png") as taken:
        assert taken.size == (640, 480)
        assert taken.info["date"] and taken.info["user"] != "root"
    assert "ondemand_surfaces.png" in (REPO / "notebooks" / "ondemand.ipynb").read_text()
