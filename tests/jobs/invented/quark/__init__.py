"""Quark, a scheduler that does not exist: what is the least that a new one needs?"""

from workshop.jobs.dialect import Dialect, Notion, Purpose

QUARK = Dialect(
    name="quark",
    title="Quark",
    full_title="Quark",
    package="quark",
    magic="#QUARK",
    endings=(".quark",),
    submit="qk FILE",
    node="node",
    task="task",
    queue="lane",
    queue_option="--lane",
    manual="https://quark.example/manual",
    variables={
        Notion.JOB_ID: ("QUARK_JOB",),
        Notion.SUBMIT_DIR: ("QUARK_FROM",),
        Notion.TASKS: ("QUARK_TASKS",),
        Notion.HOSTS: ("QUARK_HOSTS",),
    },
    commands={
        Purpose.SUBMIT: ("qk",),
        Purpose.CANCEL: ("qkill",),
        Purpose.STATUS: ("qlist",),
        Purpose.START: ("qrun",),
    },
    prefixes=("QUARK_",),
    launchers=("qrun",),
    log_options=("--log",),
    log_words="a plain path",
    crlf=("error", "qk refuses the file.", "https://quark.example/manual"),
)
DIALECTS = (QUARK,)
