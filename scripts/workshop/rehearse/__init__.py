"""Rehearsals: run a job script without a scheduler, with the variables, files, signals and logs of its scheduler.

from workshop.rehearse import rehearse
result = rehearse("scripts/pbs/hello.pbs")
print(result.state, result.exit_code, result.stdout)
"""

from workshop.rehearse.plan import CannotRehearse
from workshop.rehearse.run import Rehearsal, rehearse

__all__ = ["CannotRehearse", "Rehearsal", "rehearse"]
