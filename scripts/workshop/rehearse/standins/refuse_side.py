"""Commands that a rehearsal must not let through to a real scheduler, and ``hostname`` without namespaces."""

from __future__ import annotations

import os

from tasks import Job


def play(job: Job, command: str, arguments: list[str]) -> int:
    if command == "hostname":
        print(os.environ.get("WORKSHOP_REHEARSAL_NODE", job.names[0]))
        return 0
    job.say(
        command, "not rehearsed: there is no scheduler here, and a real one must not be touched by an invented job id"
    )
    return 1
