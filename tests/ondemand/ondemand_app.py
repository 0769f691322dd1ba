"""The workshop's apps for Open OnDemand, the portal that stands in for OnDemand, and the notebooks that are opened."""

import sys

from workshop.paths import REPO

sys.path.insert(0, str(REPO / "scripts" / "ondemand"))
import portal

__all__ = ["APP", "CUBE", "DESKTOP", "NOTEBOOKS", "SCENE", "portal"]

APP = REPO / "scripts" / "ondemand" / "workshop_jupyter"
NOTEBOOKS = ("first_job", "job_scripts", "ondemand")
DESKTOP = APP.with_name("workshop_desktop")
CUBE = APP.with_name("cube.py")
SCENE = APP.with_name("surfaces.py")
