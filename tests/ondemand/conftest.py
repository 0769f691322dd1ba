"""The apps of the workshop, and one session of it on the practice cluster behind the stand-in portal."""

import os
import sys
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


@pytest.fixture
def picture(request):
    """``picture(page, "cube")`` keeps what the tab shows for book/assets, where somebody asked for pictures."""
    folder = os.environ.get("WORKSHOP_PICTURES")

    def take(page, name: str) -> None:
        if folder:
            part = {"x": 0, "y": 0, "width": 1280, "height": 620}  # below it the desktop is empty
            page.screenshot(path=f"{folder}/ondemand_desktop_{name}.png", clip=part)

    return take
