"""A session of the desktop app on the practice cluster, and what its user sees, types and leaves behind."""

import base64
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from ondemand_app import DESKTOP, portal

# Seconds after which what was waited for will not come any more, on the busiest machine.
PATIENCE_S = 150


def wait_for(condition: Callable[[], object], what: str):
    """Wait until ``condition()`` is true and return its value; ``what`` says in the failure what did not come."""
    end = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        assert time.monotonic() < end, f"{what}: not within {PATIENCE_S} s"
        time.sleep(0.2)
    return value


@dataclass
class Desktop:
    """A running session: its job, its cluster, the home folder of its user, host, ports and password."""

    cluster: object
    home: Path
    proxy: portal.Proxy
    job: portal.Session | None = None
    there: dict = field(default_factory=dict)

    def launch(self, values: dict) -> portal.Session:
        """Submit the app with these values of its form, as *Launch* does."""
        # The user's own environment would lead its processes elsewhere.
        kept = {name: value for name, value in self.cluster.environment().items() if not name.startswith("XDG_")}
        # Apptainer asks the list of users where the home folder is, unless told.
        env = kept | {"HOME": str(self.home), "APPTAINER_HOME": str(self.home)}

        def run(command, **options):
            return self.cluster.run(command, env=env, cwd=self.home, **options)

        self.job = portal.launch(DESKTOP, values, self.home, 'host="$SLURMD_NODENAME"', run)
        return self.job

    def wait(self) -> None:
        """Wait until the desktop can be connected to."""
        self.there = self.job.wait(PATIENCE_S)
        self.proxy.card = portal.card(DESKTOP, self.there)

    def processes(self) -> dict[int, dict[str, str]]:
        """Environment of each process whose home folder is this session's, by its number; the dead are left out."""
        found = {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            with suppress(OSError):
                words = (folder / "environ").read_bytes().split(b"\0")
                environment = dict(word.decode(errors="replace").partition("=")[::2] for word in words if word)
                if environment.get("HOME") == str(self.home):
                    found[int(folder.name)] = environment
        return found

    def lock_folder(self) -> Path:
        """The folder of socket and cookies."""
        return next(Path(env["VNC_FOLDER"]) for env in self.processes().values() if "VNC_FOLDER" in env)

    def in_queue(self) -> bool:
        """Whether the job waits, runs or ends still."""
        asked = self.cluster.run(["squeue", "--noheader", "--format=%i"], capture_output=True, text=True, check=True)
        return self.job.job_id in asked.stdout.split()

    def assert_nothing_is_left(self, lock_folder: Path) -> None:
        """The job is over: no process, no password, no socket, no cookie, no display."""
        wait_for(lambda: not self.in_queue(), "the end of the job")
        wait_for(lambda: not self.processes(), "the end of the session's processes")
        names = {path.name for path in self.job.folder.iterdir()}
        assert not names & {"vnc.passwd", "connection.yml"}
        assert "output.log" in names
        assert not lock_folder.exists()
        assert not Path(f"/tmp/.X11-unix/X{self.there['display']}").exists() or self.display_is_anothers()

    def display_is_anothers(self) -> bool:
        """Whether somebody else's X server has taken the same number since."""
        lock = Path(f"/tmp/.X{self.there['display']}-lock")
        return lock.exists() and Path(f"/proc/{lock.read_text().strip()}").exists()


@contextmanager
def prepare(cluster) -> Iterator[Desktop]:
    """A portal that shows the app's form, and nothing launched yet.

    The home folder is one that others may enter, as on many clusters.
    """
    home = Path(tempfile.mkdtemp(prefix="home."))
    home.chmod(0o755)
    try:
        with portal.Proxy() as proxy:
            desktop = Desktop(cluster, home, proxy)
            portal.serve_form(proxy, DESKTOP, {}, desktop.launch)
            try:
                yield desktop
            finally:
                if desktop.job:
                    cluster.run(["scancel", desktop.job.job_id])
                    wait_for(lambda: not desktop.processes(), "the end of the session's processes")
                    if os.environ.get("WORKSHOP_SHOW_LOGS"):
                        print(desktop.job.log())
    finally:
        shutil.rmtree(home)


@contextmanager
def start(cluster) -> Iterator[Desktop]:
    """A session that runs."""
    with prepare(cluster) as desktop:
        desktop.launch({"bc_queue": "cpu", "cores": 1, "memory_gb": 1})
        desktop.wait()
        yield desktop


def as_stranger(program: str, *words: str) -> subprocess.CompletedProcess:
    """Run a Python program as another user of this node, who has no right of the session's user. Needs root."""
    argv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--no-new-privs"]
    return subprocess.run(
        [*argv, "/usr/bin/python3", "-c", program, *words],
        env={"PATH": os.environ["PATH"]}, cwd="/", capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip


# How many pixels of the desktop have one of the given colors. Pictures on their way are compressed like JPEGs.
COUNT = """(colors) => {
    const canvas = document.querySelector("#noVNC_container canvas");
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return colors.map(([red, green, blue]) => {
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
            if (Math.abs(data[i] - red) < 20 && Math.abs(data[i + 1] - green) < 20 && Math.abs(data[i + 2] - blue) < 20)
                count++;
        return count;
    });
}"""


def fill_in(context, desktop: Desktop, take: Callable, **values: object) -> None:
    """Fill in the form in a tab, have ``take(page)`` look at it, press *Launch*, and wait for the session's card."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(desktop.proxy.page + "/form")
    for name, value in values.items():
        page.locator(f"#{name}").fill(str(value))
    take(page)
    page.get_by_role("button", name="Launch").click()
    page.get_by_role("button", name="Launch Workshop Desktop").wait_for()
    page.close()
    desktop.there = desktop.job.connection()


# Pixels with a color of their own, unlike the gray and white of windows, in what the mouse can turn.
VIVID = """() => {
    const canvas = document.querySelector("#noVNC_container canvas");
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
        if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 90)
            count++;
    return count;
}"""

# Every pixel, packed: to compare with a later state.
ALL = """() => {
    const canvas = document.querySelector("#noVNC_container canvas");
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let text = "";
    for (let i = 0; i < data.length; i += 4)
        text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
    return btoa(text);
}"""


class Screen:
    """The desktop in a browser's tab, as its user sees it."""

    def __init__(self, context, proxy: portal.Proxy) -> None:
        card = context.new_page()
        card.goto(proxy.page)
        self.button = card.get_by_role("button", name="Launch Workshop Desktop")
        with context.expect_page() as opened:
            self.button.click()
        self.card, self.page = card, opened.value
        self.page.set_default_timeout(PATIENCE_S * 1000)
        self.page.wait_for_selector("html.noVNC_connected")

    def size(self) -> list[int]:
        """Width and height of the desktop in pixels."""
        return self.page.eval_on_selector("#noVNC_container canvas", "canvas => [canvas.width, canvas.height]")

    def count(self, colors: list[tuple[int, int, int]]) -> list[int]:
        """How many pixels of the desktop have each color."""
        return self.page.evaluate(COUNT, colors)

    def vivid(self) -> int:
        """How many pixels of the desktop have a vivid color."""
        return self.page.evaluate(VIVID)

    def pixels(self) -> bytes:
        """Red, green and blue of every pixel."""
        return base64.b64decode(self.page.evaluate(ALL))

    def differs(self, before: bytes) -> int:
        """How many pixels differ clearly from those of ``before``."""
        now = self.pixels()
        one, other = (np.frombuffer(block, np.uint8).astype(int).reshape(-1, 3) for block in (before, now))
        return int((abs(one - other).max(axis=1) > 40).sum())

    def at_rest(self) -> bytes:
        """The pixels, once two looks at them find the same."""
        last = self.pixels()

        def same() -> bool:
            nonlocal last
            before, last = last, self.pixels()
            return before == last

        wait_for(same, "a desktop on which nothing moves")
        return last

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the mouse at one place, release it at another."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=8)
        self.page.mouse.up()

    def click(self, x: int, y: int) -> None:
        """Click on a place of the desktop."""
        self.page.mouse.click(x, y)

    def type(self, text: str) -> None:
        """Type a line into the window that has the keyboard."""
        self.page.keyboard.type(text, delay=10)
        self.page.keyboard.press("Enter")

    def close(self) -> None:
        """Close the tabs."""
        self.page.close()
        self.card.close()


def counted(path: Path, colors: list[tuple[int, int, int]]) -> list[int]:
    """How many pixels of the picture in ``path`` have each color, within what a compressed picture loses."""
    from PIL import Image

    with Image.open(path) as picture:
        every = picture.convert("RGB").getcolors(picture.width * picture.height)
    return [
        sum(n for n, pixel in every if all(abs(a - b) < 20 for a, b in zip(pixel, color, strict=True)))
        for color in colors
    ]
