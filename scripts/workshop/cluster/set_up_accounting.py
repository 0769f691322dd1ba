"""``python3 -m workshop.cluster.set_up_accounting STATE``: what ``workshop cluster up`` runs in the background."""

import subprocess
import sys
import traceback
from pathlib import Path

from workshop.cluster import accounting
from workshop.cluster.config import Places, Settings
from workshop.cluster.errors import ClusterError


def main(state: str) -> None:
    """Set up accounting and note how it went, for ``status`` and ``up --wait-accounting``."""
    places = Places(Path(state))
    try:
        accounting.set_up(places, Settings.load(places.settings))
        outcome = accounting.READY
    except (ClusterError, OSError, subprocess.SubprocessError) as error:
        traceback.print_exc()
        # The first paragraph of a ClusterError is the problem; the mend is for whoever starts it again.
        outcome = " ".join(getattr(error, "problem", str(error)).split())
    accounting.write_state(places, outcome)


if __name__ == "__main__":
    main(sys.argv[1])
