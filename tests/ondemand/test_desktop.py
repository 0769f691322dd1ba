"""The desktop in a job behind the path of the portal: its form, its terminal, a program that draws, its end."""

import subprocess

import pytest
from desktop_session import Desktop, Screen, counted, fill_in, prepare, wait_for
from ondemand_app import CUBE, SCENE

from workshop.paths import REPO

# The sides that the cube shows at its start: front, left, top, as cube.py has them, in 0 to 255.
COLORS = [(230, 51, 51), (242, 204, 51), (178, 76, 204)]
WHITE = (255, 255, 255)
PICTURES = ("form", "terminal", "cube", "turned", "end")
pytestmark = pytest.mark.needs_slurm


@pytest.fixture
def desktop(cluster, require):
    """A portal with the app's form, and no session yet."""
    require("desktop")
    with prepare(cluster) as ready:
        yield ready


@pytest.fixture
def expected(require, tmp_path):
    """Pixels of the cube's colors, at its start and one key further, as the program draws them without a display."""
    require("desktop")
    areas = []
    for turn in ("30", "45"):
        command = ["python3", str(CUBE), "--picture", str(tmp_path / f"{turn}.png"), "--turn", turn]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "llvmpipe" in done.stdout, "the cores draw"
        areas.append(counted(tmp_path / f"{turn}.png", COLORS))
    return areas


def near(seen: list[int], areas: list[int]) -> bool:
    """Whether each color covers what it should, within 3 percent: edges blur on the way."""
    return all(abs(one - other) <= 0.03 * other + 50 for one, other in zip(seen, areas, strict=True))


def arrive(context, desktop: Desktop, picture, **form: object) -> Screen:
    """Fill in the form, press its button and the card's, and wait until the terminal is there."""
    fill_in(context, desktop, lambda page: picture(page, "form", x=330, width=620, height=640), **form)
    screen = Screen(context, desktop.proxy)
    wait_for(lambda: screen.size() == [1280, 800], "a desktop as large as the tab")
    wait_for(lambda: screen.count([WHITE])[0] > 100_000, "the terminal's window")
    screen.click(300, 200)
    return screen


def leave(screen: Screen, desktop: Desktop) -> None:
    """Log out of the desktop in its terminal; nothing may be left."""
    lock_folder = desktop.lock_folder()
    screen.click(300, 200)
    screen.type("openbox --exit")
    desktop.assert_nothing_is_left(lock_folder)
    screen.page.wait_for_selector("html:not(.noVNC_connected)")
    assert "Cleaning up..." in desktop.job.log()


@pytest.mark.slow
@pytest.mark.needs_browser
@pytest.mark.needs_apptainer
@pytest.mark.timeout(700)
def test_a_program_in_a_container_draws_on_the_desktop(desktop, browser, image, expected, say, picture):
    """The form, the window, the terminal, the program, a new size, a closed tab, and the end from within."""
    assert not near(expected[0], expected[1]), "a turn must show"
    (desktop.home / "opengl.sif").symlink_to(image("opengl"))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    screen = arrive(context, desktop, picture, bc_queue="cpu", cores=1, memory_gb=1)
    screen.type("XAUTHORITY=/nowhere apptainer run opengl.sif 2> refused.txt; touch refused; clear")
    wait_for((desktop.home / "refused").exists, "the end of a program without the cookie")
    assert "Authorization required" in (desktop.home / "refused.txt").read_text()
    screen.type("glxinfo -B | tee renderer.txt | grep string; touch typed")
    wait_for((desktop.home / "typed").exists, "what was typed into the terminal")
    assert "OpenGL renderer string: llvmpipe" in (desktop.home / "renderer.txt").read_text()
    picture(screen.page, "terminal")

    assert max(screen.count(COLORS)) < 50, "nothing has the cube's colors yet"
    screen.type("apptainer run opengl.sif")
    wait_for(lambda: near(screen.count(COLORS), expected[0]), "the cube, as large as drawn without a display")
    assert any("APPTAINER_CONTAINER" in env for env in desktop.processes().values()), "the program is in a container"
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
    leave(again, desktop)
    picture(again.page, "end")
    context.close()
    say(f"desktop behind /rnode/: cube of {sum(expected[0])} pixels drawn in a container, turned, found again, ended")


@pytest.mark.extensive
@pytest.mark.needs_browser
@pytest.mark.needs_apptainer
@pytest.mark.timeout(1800)
def test_paraview_draws_on_the_desktop(desktop, browser, image, say, picture):
    """ParaView's window, from the image of visual.def: its surfaces appear, and move when the mouse turns them."""
    (desktop.home / "visual.sif").symlink_to(image("visual"))
    (desktop.home / SCENE.name).write_text(SCENE.read_text())
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    screen = arrive(context, desktop, lambda *args, **options: None, bc_queue="cpu", cores=2, memory_gb=4)
    screen.type("apptainer exec visual.sif glxinfo -B | tee renderer.txt | grep string; touch typed")
    wait_for((desktop.home / "typed").exists, "what was typed into the terminal")
    assert "OpenGL renderer string: llvmpipe" in (desktop.home / "renderer.txt").read_text()
    assert screen.vivid() < 2000, "nothing is drawn yet"
    screen.type(f"apptainer run visual.sif --script={SCENE.name}")
    wait_for(lambda: screen.vivid() > 10_000, "ParaView's welcome")
    welcome = screen.at_rest()
    screen.page.keyboard.press("Escape")
    wait_for(lambda: screen.differs(welcome) > 50_000, "ParaView's surfaces behind its welcome")
    before = screen.at_rest()
    assert screen.vivid() > 10_000, "the surfaces are drawn"
    picture(screen.page, "paraview", height=800)
    screen.drag((850, 450), (1000, 450))
    wait_for(lambda: screen.differs(before) > 10_000, "the surfaces, turned")
    screen.at_rest()
    assert screen.vivid() > 10_000, "the surfaces are still there"
    screen.page.set_viewport_size({"width": 1100, "height": 700})
    wait_for(lambda: screen.size() == [1100, 700], "a desktop of the tab's new size")
    screen.close()
    again = Screen(context, desktop.proxy)
    wait_for(lambda: again.vivid() > 10_000, "ParaView as it was left")
    lock_folder = desktop.lock_folder()
    desktop.cluster.run(["scancel", desktop.job.job_id], check=True)
    desktop.assert_nothing_is_left(lock_folder)
    context.close()
    say("desktop behind /rnode/: ParaView drew in a container, was turned by the mouse, found again, deleted")


def test_the_pages_pictures_show_the_cube_before_and_after_a_turn(expected):
    """They were taken by the test above (WORKSHOP_PICTURES names the folder) and not drawn."""
    for name, areas in zip(("cube", "turned"), expected, strict=True):
        seen = counted(REPO / "book" / "assets" / f"ondemand_desktop_{name}.png", COLORS)
        assert near(seen, areas), f"{name}: {seen} pixels, the program draws {areas}"


def test_the_pages_pictures_are_of_one_run_and_the_page_says_which():
    """Each picture carries the day of its run and who ran it."""
    from PIL import Image

    facts = []
    for name in PICTURES:
        with Image.open(REPO / "book" / "assets" / f"ondemand_desktop_{name}.png") as taken:
            facts.append((taken.info["run"], taken.info["date"], taken.info["user"]))
    assert len(set(facts)) == 1, dict(zip(PICTURES, facts, strict=True))
    _, date, user = facts[0]
    text = (REPO / "book" / "ondemand.md").read_text()
    assert f"from its run on {date}" in text
    assert user != "root", "an ordinary user's pictures, since the prompt shows the name"
    for name in PICTURES:
        assert f"](assets/ondemand_desktop_{name}.png)" in text
    with Image.open(REPO / "book" / "assets" / "ondemand_desktop_paraview.png") as taken:
        assert f"The picture is from its run on {taken.info['date']}." in text
        assert taken.info["user"] == user
