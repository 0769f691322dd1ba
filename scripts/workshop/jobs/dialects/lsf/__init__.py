"""IBM Spectrum LSF."""

from workshop.jobs.dialect import Dialect, Notion, Purpose
from workshop.jobs.parts import sources
from workshop.jobs.parts.text import words

LSF = Dialect(
    name="lsf",
    aliases=("spectrum-lsf",),
    title="LSF",
    full_title="LSF",
    package="lsf",
    magic="#BSUB",
    endings=(".lsf", ".bsub"),
    submit="bsub < FILE",
    node="host",
    task="slot",
    queue="queue",
    queue_option="-q",
    manual=sources.BSUB,
    variables={
        Notion.JOB_ID: ("LSB_JOBID",),
        Notion.JOB_NAME: ("LSB_JOBNAME",),
        Notion.SUBMIT_DIR: ("LS_SUBCWD",),
        Notion.ARRAY_INDEX: ("LSB_JOBINDEX",),
        Notion.ARRAY_ID: ("LSB_JOBID",),
        Notion.QUEUE: ("LSB_QUEUE",),
        Notion.SUBMIT_HOST: ("LSB_SUB_HOST",),
        Notion.TASKS: ("LSB_DJOB_NUMPROC",),
        Notion.NODES: ('$(sort -u "$LSB_DJOB_HOSTFILE" | wc -l)',),
        Notion.HOSTS: ("LSB_DJOB_HOSTFILE",),
    },
    hints={
        Notion.CPUS_PER_TASK: "OMP_NUM_THREADS",
        Notion.RANK: "the launcher's rank variable",
        Purpose.START: "mpirun or blaunch",
    },
    hint_of_script=r"\bLSB_\w+\b",
    commands={
        Purpose.SUBMIT: ("bsub",),
        Purpose.CANCEL: ("bkill",),
        Purpose.STATUS: ("bjobs",),
        Purpose.START: ("blaunch", "jsrun", "lsrun"),
        Purpose.REQUEUE: ("brequeue",),
        Purpose.OTHER: words("bhosts bqueues bpeek bmod bstop bresume bhist"),
    },
    # Not all of LS_: LS_COLORS is everybody's. LSF's own profile sets the last four.
    prefixes=words("LSB_ LS_SUBCWD LS_JOBPID LSF_JOB LSF_ENVDIR LSF_SERVERDIR LSF_BINDIR LSF_LIBDIR"),
    launchers=words("mpirun mpiexec mpiexec.hydra blaunch jsrun orterun"),
    log_options=("-o", "-oo", "-e", "-eo"),
    log_patterns={Notion.JOB_ID: "%J", Notion.ARRAY_INDEX: "%I"},
    time_limit="-W ",
    array_form='-J "NAME[1-LAST]"',
    sizes="-(?:n|nnodes|R|gpu|m|M) ",
    log_words="%J (job id) and %I (array index), a plain path, or the option on the command line of bsub",
    crlf=(
        "warning",
        "LSF takes the file, but the job fails at once (exit code 127): the interpreter's name ends in a CR.",
        sources.BSUB_SCRIPT,
    ),
    comments_on_lines=True,
)
DIALECTS = (LSF,)
