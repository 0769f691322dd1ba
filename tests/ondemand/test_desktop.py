"""The desktop in a job behind the portal's path: opened, typed into, drawn on, left, come back to, ended."""

import subprocess

import pytest
from desktop_session import Screen, counted, start, wait_for
from ondemand_app import CUBE

from workshop.paths import REPO

# The sides that the cube shows at its start: front, left, top, as cube.py has them, in 0 to 255.
COLORS = [(230, 51, 51), (242, 204, 51), (178, 76, 204)]
WHITE = (255, 255, 255)
PYTHON = "python3"  # whichever the desktop's user gets: the program needs no packages


@pytest.fixture(scope="module")
def desktop(cluster, require):
    """One session for this file's tests."""
    require("desktop")
    with start(cluster) as running:
        yield running


@pytest.fixture
def program(desktop, image):
    """What is typed to start the cube: the program of a small image, which lies in the home folder of its user."""
    (desktop.home / "opengl.sif").symlink_to(image("opengl"))
    return "apptainer run opengl.sif"


@pytest.fixture
def expected(require, tmp_path):
    """Pixels of the cube's colors, at its start and one key further, as the program draws them without a display."""
    require("desktop")
    areas = []
    for turn in ("30", "45"):
        command = [PYTHON, str(CUBE), "--picture", str(tmp_path / f"{turn}.png"), "--turn", turn]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "llvmpipe" in done.stdout, "the cores draw"
        areas.append(counted(tmp_path / f"{turn}.png", COLORS))
    return areas


def near(seen: list[int], areas: list[int]) -> bool:
    """Whether each color covers what it should, within 3 percent: edges blur on the way."""
    return all(abs(one - other) <= 0.03 * other + 50 for one, other in zip(seen, areas, strict=True))


@pytest.mark.slow
@pytest.mark.needs_slurm
@pytest.mark.needs_browser
@pytest.mark.timeout(700)
def test_a_program_in_a_container_draws_on_the_desktop(desktop, browser, program, expected, say, picture):
    """Its window, its terminal, its program, a new size, a closed tab, and its end from within."""
    assert not near(expected[0], expected[1]), "a turn must show"
    lock_folder = desktop.lock_folder()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    screen = Screen(context, desktop.proxy)
    wait_for(lambda: screen.size() == [1280, 800], "a desktop as large as the tab")
    wait_for(lambda: screen.count([WHITE])[0] > 100_000, "the terminal's window")
    screen.click(300, 200)
    screen.type("glxinfo -B | tee renderer.txt | grep string; touch typed")
    wait_for((desktop.home / "typed").exists, "what was typed into the terminal")
    assert "OpenGL renderer string: llvmpipe" in (desktop.home / "renderer.txt").read_text()

    assert max(screen.count(COLORS)) < 50, "nothing has the cube's colors yet"
    screen.type(program)
    wait_for(lambda: near(screen.count(COLORS), expected[0]), "the cube, as large as drawn without a display")
    picture(screen.page, "cube")
    screen.page.keyboard.press("ArrowRight")
    wait_for(lambda: near(screen.count(COLORS), expected[1]), "the cube, turned")
    picture(screen.page, "turned")

    screen.page.set_viewport_size({"width": 1000, "height": 700})
    wait_for(lambda: screen.size() == [1000, 700], "a desktop of the tab's new size")
    screen.close()
    again = Screen(context, desktop.proxy)
    wait_for(lambda: again.size() == [1280, 800], "the desktop again, as large as the new tab")
    wait_for(lambda: near(again.count(COLORS), expected[1]), "the cube as it was left")
    here = (desktop.proxy.address + "/pun/sys/dashboard/noVNC-1.3.0/", desktop.proxy.page, "data:")
    assert [url for url in asked if not url.startswith(here)] == []
    assert any(path.startswith(f"/rnode/{desktop.there['host']}/") for path in desktop.proxy.paths)

    again.page.keyboard.press("q")
    wait_for(lambda: max(again.count(COLORS)) < 50, "the end of the cube")
    again.click(300, 200)
    again.type("openbox --exit")
    desktop.assert_nothing_is_left(lock_folder)
    again.page.wait_for_selector("html:not(.noVNC_connected)")
    assert "Cleaning up..." in desktop.job.log()
    context.close()
    say(f"desktop behind /rnode/: cube of {sum(expected[0])} pixels drawn by llvmpipe, turned, found again, ended")


def test_the_pages_pictures_show_the_cube_before_and_after_a_turn(expected):
    """They were taken by the test above (WORKSHOP_PICTURES names the folder) and not drawn."""
    for name, areas in zip(("cube", "turned"), expected, strict=True):
        seen = counted(REPO / "book" / "assets" / f"ondemand_desktop_{name}.png", COLORS)
        assert near(seen, areas), f"{name}: {seen} pixels, the program draws {areas}"
