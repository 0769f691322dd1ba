"""Rules about the values of directives that hold for every scheduler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.model import WRONG, Directive, Finding
from workshop.jobs.parts.directives import revalued
from workshop.jobs.parts.grammar import runner
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule

PLACEHOLDER = re.compile(
    r"(?<![$*\d}])\{\{?\s*[A-Za-z_][\w.\- ]*\}\}?"  # {NAME}, {{ name }}
    r"|<[A-Za-z_][\w .\-]*>"  # <NAME>
    r"|(?<![A-Za-z0-9_\-])(?:YOUR|Your|your)[_\-][A-Za-z][\w\-]*"
    r"|\A(?:YOUR|Your|your)(?=[A-Za-z]*(?i:account|project|partition|queue|email|name|allocation))[A-Za-z]+\Z"
    r"|(?<![A-Za-z0-9])(?:CHANGE|REPLACE|FILL)_?ME(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])X{3,}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])x{4,}(?![A-Za-z0-9])"
    r"|@@+[A-Za-z_]\w*@@+|(?<![\w.\-])@[A-Z][A-Z0-9_]+@(?!\w)|@\[[A-Za-z_]\w*\]"  # @@NAME@@, @NAME@, @[NAME]
    r"|%%[A-Za-z][\w\-]*%%|(?<![%\w])%[A-Z][A-Z0-9_]{2,}%(?!\w)"
    r"|\{\{[^{}]+\}\}"  # an expression of Jinja
    r"|XXX[A-Za-z]\w*?XXX|\*\*[A-Za-z]\w*\*\*|!TBG_\w+"  # RELION, PIConGPU
    r"|(?<![A-Za-z0-9_])__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__(?![A-Za-z0-9_])"
    r"|\A(?:/[a-z]+)?/path/to(?=/)"
    r"|\A(?:PROJ|PROJECT|Project|ACCOUNT|Account)_?(?:ID|NAME|CODE|Id|Name|Code)\Z"  # the whole value
)

# What nobody fills in who fills in {NAME} or @NAME@ by a program.
FOR_PEOPLE = re.compile(r"\A(?:your|change|replace|fill|x+\Z|/)", re.IGNORECASE)
NAMES_OF_JOBS = ("--job-name", "-J", "-N")


@rule("placeholder_left_in_directive")
def placeholder(context: Context) -> Iterator[Finding]:
    """A place in a directive that was to be filled in."""
    script = context.script
    if (script.shebang or "").split("/")[-1].startswith(("python", "env python")):
        return
    told: set[int] = set()
    for directive in script.directives:
        place = _place_to_fill_in(context, directive)
        if place and directive.line not in told:
            told.add(directive.line)
            refused = script.scheduler == "slurm" and directive.option == "--nodelist"
            yield Finding(
                "placeholder_left_in_directive",
                "error" if refused else "warning",
                directive.line,
                f"'{place}' is a place to fill in: {_as_it_stands(directive, refused)}.",
                f"your own value in the place of {place}",
                context.dialect.manual,
            )


# Options whose value is a name that the cluster has to know.
NAMES_OF_THE_CLUSTER = ("--account", "--partition", "--qos", "--reservation", "--constraint", "-A", "-P", "-q")


def _as_it_stands(directive: Directive, refused: bool) -> str:
    """What becomes of a place that is not filled in."""
    if refused:
        return "no node has that name, and the job is refused (Invalid node name specified)"
    if directive.option in NAMES_OF_THE_CLUSTER:
        return "as it stands it is no name that the cluster knows, and where it checks the name the job is refused"
    return "the scheduler takes it as it stands"


def _place_to_fill_in(context: Context, directive: Directive) -> str | None:
    """The piece of a value that stands for one; of a text that the file itself fills in only what people fill in."""
    value = _searched(context, directive)
    match = PLACEHOLDER.search(value)
    if match is None and value == "xxx" and directive.option not in NAMES_OF_JOBS:
        return value
    if match is None or (context.script.seen.generated and not FOR_PEOPLE.match(match[0])):
        return None
    return None if directive.option in NAMES_OF_JOBS and not match[0].strip("x") else match[0]


def _searched(context: Context, directive: Directive) -> str:
    """The directive's value; where a blank cut a template in two, its line without the remark."""
    value = directive.value or ""
    if directive.option in ("--constraint", "--prefer"):
        return re.sub(r"[{}]", "", value)
    if value.endswith("{") or re.fullmatch(r"<[A-Za-z][\w\-]*", value):
        return directive.text.split(" #")[0]
    return value


# What one scheduler writes in the place of another's word.
DEPENDENCY = {"done": "afterok", "ended": "afterany", "exit": "afternotok", "started": "after"}
LSF_CONDITION = re.compile(r"\b(done|ended|exit|started)\((\"?)([^()\"]+)\2\)")
COLON_CONDITION = re.compile(r"\b(afterok|afterany|afternotok|aftercorr|after)(?::([\w.:]+)|\(([^()]+)\))")
SLURM_PATTERN = re.compile(r"%\d*[jxAa](?![A-Za-z])")
OTHERS_PATTERN = re.compile(r"%\d*I|\^array_index\^")


@rule("foreign_scheduler_words", verdict=WRONG, severity="warning")
def foreign_words(context: Context) -> Iterator[Finding]:
    """A value of an option in the words of another scheduler."""
    lsf, slurm = context.script.scheduler == "lsf", context.script.scheduler == "slurm"
    for directive in context.script.directives:
        value = directive.value or ""
        if context.script.unclaimed(value):
            continue
        meant = None
        if directive.option in ("-w", "-W", "--dependency", "-d"):
            meant = _lsf_condition(value) if lsf else _colon_condition(directive, value, slurm)
        elif directive.option in context.dialect.log_options:
            meant = _log_name(context, value)
        if meant:
            certain = " or " not in meant and "NAME" not in meant
            yield Finding(
                "foreign_scheduler_words",
                "warning",
                directive.line,
                f"'{value}' has words of another scheduler, which {context.dialect.title} does not know.",
                revalued(directive, meant) if certain else meant,
                context.dialect.manual,
            )


def _lsf_condition(value: str) -> str | None:
    """afterok:1:2 and afterok(1) in LSF's -w."""
    if not COLON_CONDITION.search(value):
        return None
    back = {new: old for old, new in DEPENDENCY.items()} | {"aftercorr": "done"}

    def instead(match: re.Match[str]) -> str:
        jobs = (match[2] or match[3]).strip(":").split(":")
        return " && ".join(f"{back[match[1]]}({job})" for job in jobs)

    return f'"{COLON_CONDITION.sub(instead, value).replace(",", " && ")}"'


def _colon_condition(directive: Directive, value: str, slurm: bool) -> str | None:
    """done(1) in the dependency of Slurm or PBS."""
    if not LSF_CONDITION.search(value) or (not slurm and "depend" not in value):
        return None
    meant = LSF_CONDITION.sub(lambda match: f"{DEPENDENCY[match[1]]}:{match[3]}", value)
    meant = re.sub(r"\s*&&\s*", ",", meant)
    return meant


def _log_name(context: Context, value: str) -> str | None:
    """Patterns in the name of a log that another scheduler replaces."""
    scheduler = context.script.scheduler
    if scheduler == "slurm":
        found = OTHERS_PATTERN.search(value)
        return OTHERS_PATTERN.sub("%a", value) if found else None
    if not SLURM_PATTERN.search(value):
        return None
    name = context.request.job_name or "NAME"
    own = re.sub(r"%\d*x(?![A-Za-z])", name, value)
    if scheduler == "lsf":
        own = re.sub(r"%\d*[jA](?![A-Za-z])", "%J", re.sub(r"%\d*a(?![A-Za-z])", "%I", own))
        return _apart(context, own)
    array = context.request.array is not None and scheduler == "pbs"
    own = re.sub(r"%\d*a(?![A-Za-z])", "^array_index^" if array else "", own)
    own = _apart(context, re.sub(r"[._-]?%\d*[jA](?![A-Za-z])", "", own))
    return f"{own}, or no -o: PBS names the file NAME.oID by itself"


def _apart(context: Context, name: str) -> str:
    """The name of a log, with the element's index where the elements of an array would share it."""
    pattern = INDEX.get(context.script.scheduler)
    shared = _has_elements(context) and pattern is not None and not pattern.search(name)
    return _with_index(context, name) if shared else name


def _has_elements(context: Context) -> bool:
    """True for an array of more than one element."""
    return context.request.array is not None and context.request.array.count > 1


INDEX = {"slurm": re.compile(r"%\d*[ajJ]"), "lsf": re.compile(r"%I"), "pbs": re.compile(r"\^array_index\^")}


@rule("array_logs_share_a_file", verdict=WRONG, severity="warning")
def array_logs(context: Context) -> Iterator[Finding]:
    """All elements of an array write into one file."""
    pattern = INDEX.get(context.script.scheduler)
    if context.heterogeneous or not _has_elements(context) or pattern is None:
        return
    told: set[str] = set()
    for directive in context.script.directives:
        value = directive.value or ""
        if directive.option not in context.dialect.log_options or pattern.search(value) or value in told:
            continue
        if not _is_a_file(context.script.scheduler, value) or directive is not context.script.last(directive.option):
            continue
        if told and context.request.join:
            return  # both streams go into the first file
        told.add(value)
        yield Finding(
            "array_logs_share_a_file",
            "warning",
            directive.line,
            f"'{value}' is the same file for all {context.request.array.count} elements of the array: they write over "
            "and between each other.",
            _log_name(context, value) or _with_index(context, value),
            context.dialect.manual,
        )


def _is_a_file(scheduler: str, value: str) -> bool:
    """False for /dev/null, folders, and what only the shell of a submitting file knows."""
    if not value or value.startswith("/dev/") or value.endswith("/") or "$" in value or OTHERS_PATTERN.search(value):
        return bool(OTHERS_PATTERN.search(value)) and scheduler == "slurm"
    # PBS takes a folder, too, and names the files in it.
    return scheduler != "pbs" or "." in value.rpartition("/")[2]


def _with_index(context: Context, value: str) -> str:
    """The name with the element's index in front of its ending."""
    mark = {"slurm": "_%A_%a", "lsf": "_%J_%I"}.get(context.script.scheduler, ".^array_index^")
    for known in ("%A", "%J"):
        if known in value:
            return value.replace(known, {"%A": "%A_%a", "%J": "%J_%I"}[known])
    value = OTHERS_PATTERN.sub("", value).replace("..", ".")
    stem, dot, ending = value.rpartition(".")
    return f"{stem.rstrip('%')}{mark}.{ending}" if dot and "/" not in ending else value + mark


@rule("submitter_script_not_job_script", severity="note")
def submits(context: Context) -> Iterator[Finding]:
    """The file is run, and submits a job itself."""
    submission = context.script.seen.submission
    if submission is None:
        return
    how = {
        "here-document": "with the job's text in a here-document",
        "pipe": "with the job's text from a pipe",
        "wrap": "with --wrap",
        "file": "with a file that it writes",
        "command": "with options and a command",
        "options": "with options",
    }[submission.how]
    yield Finding(
        "submitter_script_not_job_script",
        "note",
        submission.line,
        f"This file is to be run, not to be submitted: line {submission.line} calls {submission.command} {how}. "
        "What is said here is about the job that it submits.",
        f"run it: {runner(context.script.text)} {context.script.path}",
        context.dialect.manual,
    )
