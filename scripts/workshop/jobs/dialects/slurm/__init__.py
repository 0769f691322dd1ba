"""Slurm: sbatch's words, options and request, and the rules for its scripts."""

from workshop.jobs.dialect import Dialect, Notion, Purpose
from workshop.jobs.parts import sources
from workshop.jobs.parts.text import words

SLURM = Dialect(
    name="slurm",
    title="Slurm",
    full_title="Slurm",
    package="slurm",
    magic="#SBATCH",
    endings=(".sbatch", ".slurm"),
    submit="sbatch FILE",
    node="node",
    task="task",
    queue="partition",
    queue_option="--partition",
    manual=sources.SBATCH,
    hint_of_script=r"\bSLURM_\w+|\bs(run|batch|alloc)\b",
    variables={
        Notion.JOB_ID: ("SLURM_JOB_ID", "SLURM_JOBID"),
        Notion.JOB_NAME: ("SLURM_JOB_NAME",),
        Notion.SUBMIT_DIR: ("SLURM_SUBMIT_DIR",),
        Notion.ARRAY_INDEX: ("SLURM_ARRAY_TASK_ID",),
        Notion.ARRAY_ID: ("SLURM_ARRAY_JOB_ID",),
        Notion.QUEUE: ("SLURM_JOB_PARTITION",),
        Notion.SUBMIT_HOST: ("SLURM_SUBMIT_HOST",),
        Notion.TASKS: ("SLURM_NTASKS", "SLURM_NPROCS"),
        Notion.NODES: ("SLURM_NNODES", "SLURM_JOB_NUM_NODES"),
        Notion.HOSTS: ("SLURM_JOB_NODELIST", "SLURM_NODELIST"),
        Notion.CPUS_PER_TASK: ("SLURM_CPUS_PER_TASK",),
        Notion.RANK: ("SLURM_PROCID",),
    },
    hints={Notion.HOSTS: "scontrol show hostnames", Purpose.REQUEUE: "scontrol requeue"},
    commands={
        Purpose.SUBMIT: ("sbatch",),
        Purpose.CANCEL: ("scancel",),
        Purpose.STATUS: ("squeue",),
        Purpose.START: ("srun",),
        Purpose.OTHER: words("scontrol sacct sinfo sstat salloc sattach sbcast sacctmgr sprio sshare strigger"),
    },
    prefixes=("SLURM_", "SLURMD_", "SBATCH_"),
    launchers=("srun",),
    log_options=("--output", "--error"),
    log_patterns={Notion.JOB_ID: "%j", Notion.JOB_NAME: "%x", Notion.ARRAY_ID: "%A", Notion.ARRAY_INDEX: "%a"},
    time_limit="--time ",
    array_form="--array=FIRST-LAST",
    sizes=r"--(?:nodes|nodelist|ntasks\S*|cpus-per-\S+|gpus\S*|gres|tres-per-task|mem\S*) ",
    log_words="file patterns (%x job name, %j job id, %u user, %A and %a for arrays), a plain path, or the "
    "option on the command line of sbatch, where the shell expands it",
    crlf=("error", "sbatch refuses the file: 'Batch script contains DOS line breaks'.", sources.SBATCH),
    comments_on_lines=True,
)
DIALECTS = (SLURM,)
