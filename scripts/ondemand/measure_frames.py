"""Frames per second of one scene, drawn off screen through EGL: by an NVIDIA card, or by Mesa on the cores.

    python3 scripts/ondemand/measure_frames.py --out frames.json              # the card, where there is one
    python3 scripts/ondemand/measure_frames.py --out frames.json --cores 2    # Mesa on two cores

The scene is a block of many small cubes (see cube.py) that turns by one degree a frame. Each call adds one row to the
record, under the name of who draws. Needs no packages of Python and no display.
"""

import argparse
import datetime
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from ctypes import c_int, c_uint, c_void_p
from pathlib import Path

import cube

# From the header GL/gl.h.
GL_VERTEX_ARRAY, GL_COLOR_ARRAY, GL_COMPILE, GL_FLOAT, GL_VERSION, GL_NO_ERROR = (
    0x8074,
    0x8076,
    0x1300,
    0x1406,
    0x1F02,
    0,
)
GL = cube.library(
    cube.opengl(),
    glVertexPointer=(None, c_int, c_uint, c_int, c_void_p),
    glColorPointer=(None, c_int, c_uint, c_int, c_void_p),
)


def block(cubes: int) -> tuple[array, array]:
    """Corners and colors of ``cubes``³ cubes in the place of one: three floats each, 24 corners a cube."""
    corners, colors = array("f"), array("f")
    middles = [(2 * i + 1) / cubes - 1 for i in range(cubes)]
    half = 0.6 / cubes  # of one cube's edge: gaps stay
    sides = [(color, corner) for color, four in cube.SIDES for corner in four]
    of_one_cube = array("f", [part for color, _ in sides for part in color])
    for x in middles:
        for y in middles:
            for z in middles:
                for _, (i, j, k) in sides:
                    corners.extend((x + half * i, y + half * j, z + half * k))
                colors.extend(of_one_cube)
    return corners, colors


def remember(cubes: int) -> int:
    """Give the block to OpenGL, on a card: to the card's memory; returns the number under which it is called."""
    corners, colors = block(cubes)
    GL.glEnableClientState(GL_VERTEX_ARRAY)
    GL.glEnableClientState(GL_COLOR_ARRAY)
    GL.glVertexPointer(3, GL_FLOAT, 0, corners.buffer_info()[0])
    GL.glColorPointer(3, GL_FLOAT, 0, colors.buffer_info()[0])
    number = GL.glGenLists(1)
    GL.glNewList(number, GL_COMPILE)
    GL.glDrawArrays(cube.GL_QUADS, 0, len(corners) // 3)
    GL.glEndList()
    return number


def rates(frame: Callable[[int], object], seconds: float, repeats: int) -> list[float]:
    """Frames per second in each of ``repeats`` turns of ``seconds``, after one turn that does not count."""
    found = []
    for _ in range(repeats + 1):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            frame(count)
            count += 1
        found.append(count / (time.perf_counter() - start))
    return found[1:]


def row(name: str, found: list[float]) -> dict[str, float | list[float]]:
    """Median and spread of the rates under ``name``."""
    numbers = {name: statistics.median(found), f"{name}_min": min(found), f"{name}_max": max(found)}
    return {key: round(value, 1) for key, value in numbers.items()}


def measure(width: int, height: int, cubes: int, seconds: float, repeats: int) -> dict:
    """Draw the scene, then draw it and read its pixels, as what sends pictures to a browser must."""
    with cube.off_screen(width, height):
        number = remember(cubes)

        def draw(turn: int) -> None:
            cube.look(width, height, turn, 25.0)
            GL.glCallList(number)
            GL.glFinish()

        def draw_and_read(turn: int) -> None:
            draw(turn)
            cube.pixels(width, height)

        draw(30)
        if GL.glGetError() != GL_NO_ERROR or not any(pixel > 100 for pixel in cube.pixels(width, height)):
            sys.exit("nothing was drawn: this OpenGL lacks lists or arrays")
        return {
            "renderer": cube.renderer(),
            "opengl": cube.GL.glGetString(GL_VERSION).decode(),
            **row("frames_per_s", rates(draw, seconds, repeats)),
            **row("frames_read_per_s", rates(draw_and_read, seconds, repeats)),
        }


def hardware() -> dict:
    """The cards, as nvidia-smi names them, and the processor."""
    ask = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
    try:
        cards = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        cards = []
    lines = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    return {
        "gpus": cards or ["none"],
        "cpu": lines[0] if lines else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def keep(out: Path, name: str, setting: dict, measured: dict) -> None:
    """Add the row to the record in ``out``.

    Raises:
        SystemExit: the record is one of another setting or machine.
    """
    record = {
        "command": shlex.join(["python3", "scripts/ondemand/measure_frames.py", *sys.argv[1:]]),
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "hardware": hardware(),
        "setting": setting,
        "stages": {},
    }
    if out.exists():
        before = json.loads(out.read_text())
        if any(before[key] != record[key] for key in ("hardware", "setting")):
            sys.exit(f"{out} is the record of another machine or scene: name another file")
        record["command"] = before["command"] + "; " + record["command"]
        record["stages"] = before["stages"]
    record["stages"][name] = measured
    out.write_text(json.dumps(record, indent=1) + "\n")


def main() -> None:
    """Measure one row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the record, made or added to")
    parser.add_argument("--cores", type=int, metavar="N", help="Mesa on N cores, and no card")
    parser.add_argument("--size", default="1280x800", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--cubes", type=int, default=20, metavar="N", help="the scene: N x N x N cubes")
    parser.add_argument("--seconds", type=float, default=2.0, help="of one turn")
    parser.add_argument("--repeats", type=int, default=5, help="turns that count")
    arguments = parser.parse_args()
    name = "card"
    if arguments.cores:
        ours = sorted(os.sched_getaffinity(0))
        if len(ours) < arguments.cores:
            sys.exit(f"this process may use {len(ours)} cores, not {arguments.cores}")
        os.sched_setaffinity(0, ours[: arguments.cores])
        # Mesa reads these when it is loaded by the first call of EGL.
        os.environ |= {
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GALLIUM_DRIVER": "llvmpipe",
            "LP_NUM_THREADS": str(arguments.cores),
        }
        name = "1 core" if arguments.cores == 1 else f"{arguments.cores} cores"
    width, height = map(int, arguments.size.split("x"))
    measured = measure(width, height, arguments.cubes, arguments.seconds, arguments.repeats)
    if ("llvmpipe" in measured["renderer"]) != bool(arguments.cores):
        sys.exit(f"{name} was asked for, and {measured['renderer']} drew: use --cores N, or a job with a GPU")
    setting = {"size": arguments.size, "cubes": arguments.cubes**3, "triangles": 12 * arguments.cubes**3}
    setting |= {"seconds": arguments.seconds, "repeats": arguments.repeats}
    keep(arguments.out, name, setting, measured)
    print(f"{name}: {measured['renderer']}, {arguments.size}, {setting['triangles']} triangles")
    for key, what in (("frames_per_s", "drawn"), ("frames_read_per_s", "drawn and read")):
        least, most = measured[f"{key}_min"], measured[f"{key}_max"]
        print(f"{what}: {measured[key]} frames per second ({least} to {most})")


if __name__ == "__main__":
    main()
