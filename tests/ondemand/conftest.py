"""The apps of the workshop, and one session of it on the practice cluster behind the stand-in portal."""

import datetime
import getpass
import os
import sys
import uuid
from types import SimpleNamespace

import pytest
from ondemand_app import APP, NOTEBOOKS, portal

from workshop.paths import REPO


@pytest.fixture(scope="session")
def session(cluster, require, tmp_path_factory):
    """A running session: ``.proxy``, ``.there`` (host, port, password), ``.folder`` (where JupyterLab starts)."""
    require("ruby")
    home = tmp_path_factory.mktemp("home")
    work = home / "work"
    work.mkdir()
    for name in NOTEBOOKS:
        text = (REPO / "notebooks" / f"{name}.ipynb").read_text()
        (work / f"{name}.ipynb").write_text(text)  # JupyterLab saves what it runs: never the repository's own file

    def run(command, **options):
        env = {**cluster.environment(), "HOME": str(home), "PYTHONPATH": str(REPO / "scripts")}
        return cluster.run(command, env=env, cwd=work, **options)

    with portal.Proxy() as proxy:
        given = {
            "bc_queue": "cpu", "bc_num_hours": 1, "cores": 1, "memory_gb": 1, "gpus": 0, "folder": str(work),
            "venv": sys.prefix, "portal": proxy.address,
        }  # fmt: skip
        job = portal.launch(APP, given, home, 'host="$SLURMD_NODENAME"', run)
        try:
            there = job.wait()
            proxy.card = portal.render(APP / "view.html.erb", there)
            base = f"/node/{there['host']}/{there['port']}"
            yield SimpleNamespace(proxy=proxy, there=there, job=job, folder=work, base=base, cluster=cluster)
        finally:
            cluster.run(["scancel", job.job_id])
            if os.environ.get("WORKSHOP_SHOW_LOGS"):
                print(job.log())


# While it is connected, noVNC slides its bar out of sight after some seconds, and takes back a word on the connection.
UNVEILED = """() => !document.querySelector("html.noVNC_connected")
    || document.querySelector("#noVNC_control_bar").getBoundingClientRect().right <= 1
    && !document.querySelector("#noVNC_status.noVNC_open")"""


@pytest.fixture
def picture(with_facts):
    """``picture(page, "cube")`` keeps what the tab shows for book/assets, where somebody asked for pictures."""
    folder = os.environ.get("WORKSHOP_PICTURES")

    def take(page, name: str, x: int = 0, width: int = 1280, height: int = 620) -> None:
        if folder:
            page.wait_for_function(UNVEILED)
            path = f"{folder}/ondemand_desktop_{name}.png"
            page.screenshot(path=path, clip={"x": x, "y": 0, "width": width, "height": height})
            with_facts(path)

    return take


@pytest.fixture
def with_facts():
    """``with_facts(path)``: save the picture again, small, with the day, the user and a number of the run in it."""
    facts = {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "user": getpass.getuser(),
        "run": uuid.uuid4().hex,
    }

    def save(path: str) -> None:
        from PIL import Image
        from PIL.PngImagePlugin import PngInfo

        info = PngInfo()
        for name, text in facts.items():
            info.add_text(name, text)
        with Image.open(path) as taken:
            small = taken.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(path, pnginfo=info, optimize=True)

    return save
