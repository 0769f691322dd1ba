"""Join the others of this launch, and say who they are: ``own_world.py NAME``, with NAME that of the launch.

Two launches of two ranks each start crosswise: a rank tries to join only when the one before it in ORDER has begun to.
"""

import sys
import time
from pathlib import Path

import torch.distributed as dist

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "train"))
import launch

ORDER = ("first 0", "second 1", "second 0", "first 1")
LIMIT_S = 120


def main() -> None:
    me = launch.detect()
    mine = f"{sys.argv[1]} {me.rank}"
    place, deadline = ORDER.index(mine), time.monotonic() + LIMIT_S
    while place and not Path(ORDER[place - 1]).exists():
        if time.monotonic() > deadline:
            raise SystemExit(f"{mine}: {ORDER[place - 1]} has not come within {LIMIT_S} s")
        time.sleep(0.01)
    Path(mine).touch()
    launch.init(LIMIT_S, me)
    world = [None] * me.world_size
    dist.all_gather_object(world, f"{mine} at {me.master_port}")
    if me.rank == 0:
        print(f"my world: {', '.join(world)}", flush=True)
    launch.finish()


if __name__ == "__main__":
    main()
