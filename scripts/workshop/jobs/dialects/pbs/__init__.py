"""PBS: PBS Pro and OpenPBS, and Torque, which took another way in 2003."""

import re
from dataclasses import replace

from workshop.jobs.dialect import Dialect, Notion, Purpose
from workshop.jobs.parts import sources
from workshop.jobs.parts.text import words

# What only Torque takes: arrays with -t, -d, procs=, GPUs in nodes=, features, -L tasks= (since Torque 6); gres= of
# its scheduler Moab.
TORQUE_ONLY = re.compile(
    r"^[ \t]*#PBS.*?(\s-t\s*\d|\s-d\s*/|nodes=[^\s,]*(?:ppn|gpus)=|\bprocs=[\d$]|\s-l\s*(?:feature|gres)="
    r"|\s-L\s*tasks=)"
    r"|\bPBS_ARRAYID\b|\bPBS_NUM_PPN\b",
    re.MULTILINE,
)
TORQUE_ARRAY = re.compile(r"^[ \t]*#PBS.*?\s-t\s*\d|\bPBS_ARRAYID\b", re.MULTILINE)
PBS_ONLY = re.compile(r"^[ \t]*#PBS.*?(select=|place=|\s-J\s*\d|\bngpus=)|\bPBS_ARRAY_INDEX\b", re.MULTILINE)
# Usual in PBS Pro, and known to Torque.
CPUS = re.compile(r"^[ \t]*#PBS.*?\bncpus=", re.MULTILINE)


def _relative(text: str) -> str:
    """``torque`` where the file uses what only Torque has and nothing of PBS Pro."""
    if PBS_ONLY.search(text) or not TORQUE_ONLY.search(text):
        return "pbs"
    return "pbs" if CPUS.search(text) and not TORQUE_ARRAY.search(text) else "torque"


PBS = Dialect(
    name="pbs",
    aliases=("pbspro", "openpbs"),
    title="PBS Pro",
    full_title="PBS Pro / OpenPBS",
    package="pbs",
    magic="#PBS",
    endings=(".pbs",),
    submit="qsub FILE",
    node="chunk",
    task="rank",
    queue="queue",
    queue_option="-q",
    manual=sources.QSUB,
    variables={
        Notion.JOB_ID: ("PBS_JOBID",),
        Notion.JOB_NAME: ("PBS_JOBNAME",),
        Notion.SUBMIT_DIR: ("PBS_O_WORKDIR",),
        Notion.ARRAY_INDEX: ("PBS_ARRAY_INDEX",),
        Notion.ARRAY_ID: ("PBS_ARRAY_ID",),
        Notion.QUEUE: ("PBS_QUEUE",),
        Notion.SUBMIT_HOST: ("PBS_O_HOST",),
        Notion.TASKS: ('$(wc -l < "$PBS_NODEFILE")',),
        Notion.NODES: ('$(sort -u "$PBS_NODEFILE" | wc -l)',),
        Notion.HOSTS: ("PBS_NODEFILE",),
    },
    hints={
        Notion.HOSTS: "$PBS_NODEFILE",
        Notion.CPUS_PER_TASK: "OMP_NUM_THREADS or NCPUS",
        Notion.RANK: "the launcher's rank variable",
        Purpose.START: "mpiexec or mpirun",
    },
    hint_of_script=r"\bPBS_O_WORKDIR\b|\bPBS_NODEFILE\b",
    commands={
        Purpose.SUBMIT: ("qsub",),
        Purpose.CANCEL: ("qdel",),
        Purpose.STATUS: ("qstat",),
        Purpose.START: ("pbsdsh", "pbs_tmrsh"),
        Purpose.REQUEUE: ("qrerun",),
        Purpose.OTHER: words("qhold qrls qalter qsig qmove qselect pbsnodes qmgr"),
    },
    prefixes=("PBS_",),
    launchers=words("mpiexec mpirun mpiexec.hydra pbsdsh aprun mpirun_rsh orterun"),
    log_options=("-o", "-e"),
    time_limit=r"-l (?:.*,)?walltime=",
    array_form="-J FIRST-LAST",
    sizes=r"-l (?:.*,)?(?:select|nodes|ncpus|ngpus|gpus|procs|mem|pmem)=",
    log_words="a plain path, ^array_index^ in arrays, or the option on the command line of qsub, where the "
    "shell expands it",
    crlf=(
        "error",
        "OpenPBS 23.06.06 and older ones take the file, and the job ends with 127; later ones refuse it: 'script "
        "contains cr, lf'.",
        sources.PBS_SOURCE,
    ),
    starts_at_home=True,
    relative=_relative,
)
TORQUE = replace(
    PBS,
    name="torque",
    aliases=(),
    title="Torque",
    array_form="-t FIRST-LAST",
    full_title="Torque",
    endings=(),
    node="node",
    manual=sources.TORQUE_QSUB,
    variables={
        **PBS.variables,
        Notion.ARRAY_INDEX: ("PBS_ARRAYID",),
        Notion.TASKS: ("PBS_NP",),
        Notion.NODES: ("PBS_NUM_NODES",),
    },
    log_words="a plain path, or the option on the command line of qsub, where the shell expands it",
    crlf=(
        "warning",
        "Torque strips the CR from directives, but the shell keeps it in the commands, which then fail.",
        sources.TORQUE_QSUB,
    ),
    hint_of_script=None,
    relative=None,
    target=False,
)
DIALECTS = (PBS, TORQUE)
