"""CPU time of a part of the run with all that it started, daemons included.

Where this user may make control groups (root on most machines), a group for the run and one for each worker count every
process that was started in them, whoever waits for it. Elsewhere the kernel's account of this process and of children
that have ended and were waited for must do: daemons and the jobs they run are missing in it.
"""

import contextlib
import os
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
# The group of the whole run, for its workers.
VARIABLE = "WORKSHOP_CPU_GROUP"


def _own_group() -> Path | None:
    """The control group of this process whose files tell CPU time: of version 1 (cpuacct) or version 2."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpuacct" in controllers.split(","):
            return ROOT / "cpuacct" / path.lstrip("/")
        if not controllers and (ROOT / "cgroup.controllers").is_file():
            return ROOT / path.lstrip("/")
    return None


class Meter:
    """Counts the CPU seconds of this process and of all that it starts from now on.

    Args:
        name: of the control group to make, one for each process that measures.
    """

    def __init__(self, name: str) -> None:
        self.group: Path | None = None
        self._before: Path | None = None
        # Without control groups, or without the right to make one: the fallback.
        with contextlib.suppress(OSError):
            self._before = _own_group()
            given = os.environ.get(VARIABLE)
            parent = Path(given) if given else self._before
            if parent is not None:
                group = parent / name
                group.mkdir()
                (group / "cgroup.procs").write_text(str(os.getpid()))
                self.group = group

    @property
    def counts(self) -> str:
        """What is counted, in words."""
        if self.group:
            return "every process, daemons included"
        return "processes that ended; no daemons, no jobs of theirs"

    def seconds(self) -> float:
        """CPU seconds until now."""
        if self.group is None:
            return sum(os.times()[:4])
        usage = self.group / "cpuacct.usage"
        if usage.is_file():
            return int(usage.read_text()) / 1e9
        stat = dict(line.split() for line in (self.group / "cpu.stat").read_text().splitlines())
        return int(stat["usage_usec"]) / 1e6

    def close(self) -> None:
        """Leave the group and remove it with its children, unless something still runs in one of them."""
        if self.group is None:
            return
        with contextlib.suppress(OSError):
            (self._before / "cgroup.procs").write_text(str(os.getpid()))
            for group in (*self.group.glob("*/"), self.group):
                if group.is_dir():
                    group.rmdir()
