"""Job scripts understood: read Slurm, PBS and LSF scripts into one request, check, write, translate."""

from workshop.jobs.model import Array, Directive, Finding, JobRequest, Memory, Script, Signal
from workshop.jobs.read import read_script

__all__ = ["Array", "Directive", "Finding", "JobRequest", "Memory", "Script", "Signal", "read_script"]
