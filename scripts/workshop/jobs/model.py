"""One scheduler-neutral description of a job, and what a reader hands back about a job script.

Words: PBS chunks count as nodes; LSF slots count as tasks and its hosts as nodes; a queue is a partition;
a project is an account. ``None`` means that the script does not say and the site decides. Where the scheduler
documents a default (one node, one task, one CPU a task, no GPU) that value stands here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from workshop.jobs.extra import Extra
from workshop.jobs.parts.systems import System
from workshop.jobs.parts.text import Heredoc

# What can be said about a whole script, from best to worst.
ACCEPT, SUSPICIOUS, SITE, VERSION, WRONG, REJECT, NONE = VERDICTS = (
    "accept",
    "accept-but-suspicious",
    "site-dependent",
    "version-dependent",
    "accept-but-wrong",
    "reject",
    "none",
)
# What the shell that would read a value replaces.
SHELL_VARIABLE = re.compile(r"\$[A-Za-z_{(]|`")
# The scheduler of a script for a batch system that is not read; its verdict is NONE, its request claims nothing.
OTHER = "other"


@dataclass(frozen=True)
class Memory:
    """An amount of memory.

    Attributes:
        value: bytes; 0 = all the memory of the node (Slurm's ``--mem=0``); None where only the site knows the unit.
        scope: what the amount is counted by: ``per_node``, ``per_cpu``, ``per_gpu``, ``per_task`` or ``total``;
            None where the site decides (LSF: per host or per slot).
    """

    value: int | None
    scope: str | None = "per_node"


@dataclass(frozen=True)
class Array:
    """A job array.

    Attributes:
        first, last: lowest and highest index.
        step: distance of two indices; None where the indices are not evenly spaced.
        indices: the text of the index list as written, without the limit (``1-10:3,20``).
        max_running: how many may run at the same time; None = no limit.
        count: number of indices.
    """

    first: int
    last: int
    step: int | None = 1
    indices: str = ""
    max_running: int | None = None
    count: int = 0


@dataclass(frozen=True)
class Signal:
    """A warning signal before the time limit.

    Attributes:
        name: without ``SIG``, such as ``USR1``.
        before_s: seconds before the end.
        target: ``batch_shell`` (only the shell of the script), ``steps`` (the tasks that srun started) or
            ``all`` (every process of the job).
    """

    name: str
    before_s: int | None = 60
    target: str = "steps"


@dataclass
class JobRequest:
    """What a job asks for. See the module's text for the words and for what None means.

    Attributes:
        nodes: number of nodes (PBS: chunks; LSF: hosts). Of a range the least;
            the most is ``extra.nodes_max``.
        tasks, tasks_per_node: processes that the scheduler is told of (LSF: slots).
        cpus_per_task, cpus_total: CPUs.
        gpus_per_node, gpus_total: GPUs. gpu_type: model as the scheduler names it.
        time_s: walltime in seconds; 0 = no limit asked.
        output, error: file patterns as written.
        join: ``oe`` = both in the output file, ``eo`` = both in the error file.
        open_mode: ``append`` or ``truncate``.
        exclusive: True = whole nodes. place: PBS placement as written.
        export: which variables the job sees, as written.
        extra: what only some schedulers know (``gpus_per_task``, ``licenses``, ``chunks``, ``mem_total`` …).
    """

    job_name: str | None = None
    account: str | None = None
    partition: str | None = None
    qos: str | None = None
    constraint: str | None = None
    nodes: int | None = None
    tasks: int | None = None
    tasks_per_node: int | None = None
    cpus_per_task: int | None = None
    cpus_total: int | None = None
    gpus_per_node: int | None = None
    gpus_total: int | None = None
    gpu_type: str | None = None
    mem: Memory | None = None
    time_s: int | None = None
    output: str | None = None
    error: str | None = None
    join: str | None = None
    open_mode: str | None = None
    array: Array | None = None
    exclusive: bool = False
    place: str | None = None
    signal: Signal | None = None
    requeue: bool | None = None
    dependency: str | None = None
    mail_user: str | None = None
    mail_type: str | None = None
    export: str | None = None
    extra: Extra = field(default_factory=Extra)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: numbers as numbers, memory in bytes, ``extra`` merged at the top level."""
        plain = {f.name: to_plain(getattr(self, f.name)) for f in fields(self) if f.name != "extra"}
        plain.update({key: to_plain(value) for key, value in self.extra.given().items() if key not in plain})
        return plain


def to_plain(value: Any) -> Any:
    """Dataclasses as dictionaries, all the way down."""
    if is_dataclass(value):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class Directive:
    """One option of a directive line; a line with several options gives several of these.

    Attributes:
        line: 1-based line in the file.
        text: the line as written.
        option: canonical name with its dashes (``--nodes``, ``-l``, ``-R``).
        value: its value, None for a flag.
        span: columns of the value as written, with its quotes, in ``line``; None where it has no certain place.
    """

    line: int
    text: str
    option: str
    value: str | None = None
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class Edit:
    """One change of one line of a file; all other characters stay as they are.

    Attributes:
        line: 1-based; for ``insert`` the line above which the new one comes (one past the end: at the end).
        old: the text that has to stand there, without its line end. An edit whose ``old`` is not there is not made.
        new: the text that stands there then. start: 0-based column of ``old``.
        kind: ``replace`` old by new; ``insert`` a line ``new``; ``delete`` the line, which is ``old``.
    """

    line: int
    old: str = ""
    new: str = ""
    start: int = 0
    kind: str = "replace"


class Write(str):
    """What stands behind "Write:", and the edits that do just that. Only where no decision is left to a person.

    It is a string, so that it goes wherever an advice in words goes, and brings its edits along.
    """

    edits: tuple[Edit, ...] = ()

    def __new__(cls, text: str, *edits: Edit) -> Write:
        made = super().__new__(cls, text)
        made.edits = edits
        return made


@dataclass(frozen=True)
class Finding:
    """One thing that a reader or a rule has to say.

    Attributes:
        rule: name of the rule. severity: ``error``, ``warning`` or ``note``. line: 1-based, None = whole file.
        message: what happens. source: address of the primary documentation.
        fix: what to write; a `Write` where ``workshop check --fix`` may do it by itself.
        verdict: what it means for the script, where that is not what its rule says of all its findings.
    """

    rule: str
    severity: str
    line: int | None
    message: str
    fix: str = ""
    source: str = ""
    verdict: str | None = None

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What does that which ``fix`` says; empty where a person has to decide."""
        return self.fix.edits if isinstance(self.fix, Write) else ()

    def to_dict(self) -> dict[str, Any]:
        """The finding as ``workshop check --format json`` prints it."""
        return {name: value for name, value in to_plain(self).items() if name != "verdict"}


@dataclass(frozen=True)
class Submission:
    """How a file that is run, and not submitted itself, submits a job.

    Attributes:
        command: ``sbatch``, ``qsub`` or ``bsub``. line: its 1-based line.
        how: ``here-document``, ``pipe``, ``wrap``, ``file`` (that the script writes), ``command`` or ``options``.
        words: the options behind the command, constants put in. text_known: False where the job's text is a file that
            is not at hand, or made of what only the run knows: then only the options are claimed.
    """

    command: str
    line: int
    how: str
    words: tuple[str, ...] = ()
    text_known: bool = True


@dataclass(slots=True)
class Seen:
    """What a reader saw beside the request.

    Attributes:
        lines: the file's lines without CR; of a generated script only its own, the others empty.
        first_line: 1-based line at which the script begins (a generated one: in its here-document).
        crlf, bom: DOS line ends, a byte order mark. encoding: ``utf-8``, ``latin-1`` or ``utf-16``.
        generated: the here-document that holds the real script, where the file only writes or submits it.
        submission: how the file submits that script, where it does.
        system: the batch system of a script that is not read.
        totals_style: PBS: resources without ``select``, which some sites take for totals of the job.
        commands: the file is no job script, but commands for an allocation that is made elsewhere, or what a job runs.
        program: it is in another language than a shell's.
        foreign: Slurm: what sbatch makes of directives of other schedulers (``slurm.foreign.Wrapped``).
        pure_foreign: Slurm: there are no #SBATCH lines beside them.
    """

    lines: list[str] = field(default_factory=list)
    first_line: int = 1
    crlf: bool = False
    bom: bool = False
    encoding: str = "utf-8"
    generated: Heredoc | None = None
    submission: Submission | None = None
    system: System | None = None
    totals_style: bool = False
    commands: bool = False
    program: bool = False
    foreign: Any = None
    pure_foreign: bool = False


@dataclass
class Script:
    """A job script as its scheduler understands it.

    Attributes:
        scheduler: ``slurm``, ``pbs``, ``torque`` or ``lsf``; ``other`` for a batch system that is not read.
        path: where it came from, ``<text>`` for a string.
        text: decoded text with line ends as they were.
        shebang: the interpreter line without ``#!``; None where the first line is none.
        directives: every option that counts, in the order in which it is applied.
        body: text from the first command on. body_line: its 1-based line (one past the end where there is none).
        ignored_lines: lines that look like directives and have no effect.
        request: what the job asks for; of a heterogeneous job the first component.
        components: the requests of a heterogeneous job, else empty.
        problems: findings of the reader itself.
        seen: what the reader saw that is no request, and that rules need.
    """

    scheduler: str
    path: str = "<text>"
    text: str = ""
    shebang: str | None = None
    directives: list[Directive] = field(default_factory=list)
    body: str = ""
    body_line: int = 1
    ignored_lines: list[int] = field(default_factory=list)
    request: JobRequest = field(default_factory=JobRequest)
    components: list[JobRequest] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)

    def values(self, option: str) -> list[str | None]:
        """All values that were given for ``option``, in order."""
        return [d.value for d in self.directives if d.option == option]

    def unclaimed(self, text: str | None) -> bool:
        """True for a value that a submitting shell puts in, and that depends on an argument or a loop."""
        expands = self.seen.generated is not None and self.seen.generated.expands
        return expands and text is not None and ("$" in text or "`" in text)

    def undecided(self, text: str | None) -> bool:
        """True for a value with a shell variable in it: one that a submitting shell puts in, or nobody does."""
        return self.unclaimed(text) or bool(text and SHELL_VARIABLE.search(text))

    @property
    def asks_for_nothing(self) -> bool:
        """True for a file without directives that submits nothing either."""
        return not self.directives and self.seen.submission is None

    @property
    def text_known(self) -> bool:
        """False where the text of the job that is submitted is not known: what it does not say is then unknown."""
        return self.seen.submission is None or self.seen.submission.text_known

    def last(self, option: str) -> Directive | None:
        """The last directive of ``option``, None where it is absent."""
        found = [d for d in self.directives if d.option == option]
        return found[-1] if found else None
