"""A job without a training, for tests of launchers: it waits for a signal as ddp_resume.py does, and leaves the marker.

It imports a third of what a training imports, and two processes load for it. A rank writes its process id into
``ready-RANK`` when a signal may come, and leaves ``ended-PID`` as the last thing it does.
"""

import atexit
import os
import sys
import time
from pathlib import Path

# What is registered first is called last: when the processes that load data have been ended, too.
atexit.register(lambda: Path(f"ended-{os.getpid()}").touch())

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "train"))
import launch  # noqa: E402
import restart  # noqa: E402

LIMIT_S = 120


def main() -> None:
    me, _ = launch.init(60)
    stop, checkpoints = restart.StopSignal(None, every=1), restart.Checkpoints(Path("run"), {}, me.rank)
    batches = iter(restart.SparingLoader(range(1_000_000), 1, num_workers=2))
    next(batches)
    ready = Path(f"ready-{me.rank}.tmp")
    ready.write_text(str(os.getpid()))
    ready.rename(f"ready-{me.rank}")
    step, end = 0, time.monotonic() + LIMIT_S
    try:
        while time.monotonic() < end:
            step += 1
            next(batches)  # a worker that died of the signal would end this rank with an error
            stop.check(step)
            time.sleep(0.01)
    except restart.Stopped as reason:
        if me.rank == 0:
            checkpoints.leave_marker(f"{reason} at step {step}")
        launch.finish()
        return
    raise SystemExit(f"no signal within {LIMIT_S} s")


if __name__ == "__main__":
    main()
