"""What the three schedulers have in common: the facts of one run of a job, and what each must say about it."""

from __future__ import annotations

import getpass
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workshop.jobs import Script
from workshop.rehearse.plan import Node

# Variables of an outer job (a rehearsal inside a real one) that must not shine through.
FOREIGN = ("SLURM", "PBS_", "LSB_", "LS_", "LSF_", "OMPI_", "PMI_", "PMIX_", "PALS_", "JSM_", "TORCHELASTIC", "HYDRA_")
SINGLES = (
    "RANK",
    "LOCAL_RANK",
    "WORLD_SIZE",
    "MASTER_ADDR",
    "MASTER_PORT",
    "ENVIRONMENT",
    "NCPUS",
    "CUDA_VISIBLE_DEVICES",
)
SERVER = "head"  # the invented submit host, named as in the records
DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"  # what a PBS job starts with (records, 01)


@dataclass
class Run:
    """One run of one job (or of one task of an array).

    Attributes:
        script: as read. source: the file that was given. number: the job's number. workdir: folder of submission.
        state: the run's own folder, removed afterwards. nodes: what the job got. index: of an array's task, else None.
        restarts: how often the job was requeued before. arguments: words after the script (Slurm only).
        submitter: environment of the submission. extra: variables added at submission. scale: factor on the
        scheduler's own delays.
    """

    script: Script
    source: Path
    number: int
    workdir: Path
    state: Path
    nodes: list[Node]
    index: int | None = None
    restarts: int = 0
    arguments: tuple[str, ...] = ()
    submitter: dict[str, str] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)
    scale: float = 1.0
    walltime_s: float | None = None
    task_number: int | None = None  # Slurm: the number of an array task's own job

    @property
    def bin(self) -> Path:
        """Folder of the stand-ins."""
        return self.state / "bin"

    @property
    def name(self) -> str:
        """The job's name as the scheduler would choose it."""
        return self.script.request.job_name or self.source.name

    def outer(self) -> dict[str, str]:
        """The submitter's environment without traces of an outer job."""
        keep = {k: v for k, v in self.submitter.items() if not k.startswith(FOREIGN) and k not in SINGLES}
        return keep

    def with_bin(self, path: str) -> str:
        """A PATH in which the stand-ins come first."""
        return f"{self.bin}:{path}"


@dataclass
class Outcome:
    """How a scheduler reports the end of a job.

    Attributes:
        exit_code: the number that it reports. text: as its tools print it. state: its word for the end.
    """

    exit_code: int
    text: str
    state: str


def user() -> str:
    """Login name; a container may have none for the uid."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def write_copy(run: Run, path: Path) -> Path:
    """The spool copy of the script: a later change of the file must not matter, and ``$0`` shows the copy's path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(run.source.read_bytes())
    path.chmod(0o700)
    return path


def interpreter(run: Run, default: list[str]) -> list[str]:
    """The words of the shebang line, else ``default``."""
    return shlex.split(run.script.shebang) if run.script.shebang else default


def shell_status(returncode: int) -> int:
    """Exit status as a shell reports it: 128 + number of the signal that ended the process."""
    return 128 - returncode if returncode < 0 else returncode


def with_pid(variable: str, argv: list[str]) -> list[str]:
    """A command line that puts its own process id into ``variable`` and becomes ``argv``."""
    return ["/bin/sh", "-c", f'export {variable}=$$; exec "$@"', "job", *argv]


def mpi_environment(run: Run) -> dict[str, str]:
    """Keeps a real MPI on this machine: see tests/rehearse/test_rehearse_mpi.py.

    Open MPI takes a host whose name resolves here for the local one and would put all ranks on one node, hence
    ``if_base_do_not_resolve``; nodes share this machine's cores, so binding ranks to cores would pile them up.
    """
    values: dict[str, str] = {
        "OMPI_MCA_plm_rsh_agent": str(run.bin / "ssh"),
        "OMPI_MCA_if_base_do_not_resolve": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": str(run.bin / "ssh"),
    }
    if os.geteuid() == 0:  # Open MPI refuses root without these; a rehearsal in a container is often root's
        values |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return values


class Scheduler:
    """What a rehearsal asks of a scheduler. Facts come from tests/records and the manual pages of each."""

    name = ""
    title = ""
    standins: tuple[str, ...] = ()
    not_imitated = (
        "queueing and priority, memory limits, binding to cores, isolation from other users, prologue and epilogue"
    )

    def job_id(self, run: Run) -> str:
        """The id as the scheduler writes it."""
        raise NotImplementedError

    def environment(self, run: Run) -> dict[str, str]:
        """The script's whole environment, and the files that it points to."""
        raise NotImplementedError

    def start_folder(self, run: Run) -> Path:
        """Where the script starts."""
        return run.workdir

    def umask(self, run: Run) -> int:
        """File mode mask of the job: the submitter's."""
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def command(self, run: Run) -> list[str]:
        """Command line that runs the spool copy."""
        raise NotImplementedError

    def cannot_start(self, run: Run) -> str | None:
        """Why the scheduler lets the job fail before its first line; None where it starts."""
        return None

    def logs(self, run: Run) -> tuple[Path, Path]:
        """Final paths of output and error, equal where both go into one file."""
        raise NotImplementedError

    def appends(self, run: Run) -> bool:
        """Whether an existing log is kept."""
        return run.restarts > 0

    def stop_plan(self, run: Run, limit_s: float | None) -> list[dict[str, Any]]:
        """Signals with their times in seconds after the start; ``limit`` marks the one that ends the job."""
        raise NotImplementedError

    def requeue_plan(self, run: Run) -> list[dict[str, Any]]:
        """Signals after a requeue, in seconds after it."""
        raise NotImplementedError

    def outcome(self, run: Run, result: dict[str, Any]) -> Outcome:
        """How the scheduler reports this end."""
        raise NotImplementedError

    def deliver(self, run: Run, output: Path, error: Path, result: dict[str, Any]) -> tuple[list[Path], list[str]]:
        """Put the output where the scheduler does; gives the paths of the logs and sentences for the user."""
        raise NotImplementedError
