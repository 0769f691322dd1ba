"""Slurm: variables that sbatch sets only where an option is given, used in a job that does not give it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workshop.jobs.launch import Launch
from workshop.jobs.launch.questions import called
from workshop.jobs.model import VERSION, WRONG, Finding
from workshop.jobs.parts import sources
from workshop.jobs.parts.csh import is_csh
from workshop.jobs.parts.expansions import NAME
from workshop.jobs.parts.reading import Assignment, Command
from workshop.jobs.parts.script_words import HARMLESS
from workshop.jobs.parts.values import TASK, Atom, Value, Word
from workshop.jobs.rules.base import Context, guarded
from workshop.jobs.rules.body import stops_at_unset
from workshop.jobs.rules.rule import rule

# Any of these sets the number of tasks; the last ones where --nodes is given, too (_opt_verify() in sbatch/opt.c).
TASKS = (
    "--ntasks", "--ntasks-per-node", "--ntasks-per-gpu", "--ntasks-per-tres", "--ntasks-per-socket",
    "--ntasks-per-core", "--distribution", "--hint", "--threads-per-core", "--cores-per-socket", "--sockets-per-node",
    "--extra-node-info",
)  # fmt: skip
# Variable -> the options that set it in the batch shell: set_env_from_opts() and env_array_for_batch_job() in
# common/env.c, set_envs() in sbatch/opt.c, the same from 22.05 to 25.05; tried with 22.05.8, 24.11.5 and 26.05.5.
SET_BY = {
    "SLURM_CPUS_PER_GPU": ("--cpus-per-gpu",),
    "SLURM_CPUS_PER_TASK": ("--cpus-per-task", "--tres-per-task"),
    "SLURM_GPUS": ("--gpus",),
    "SLURM_GPUS_PER_NODE": ("--gpus-per-node",),
    "SLURM_GPUS_PER_SOCKET": ("--gpus-per-socket",),
    "SLURM_GPUS_PER_TASK": ("--gpus-per-task", "--tres-per-task"),
    "SLURM_MEM_PER_CPU": ("--mem-per-cpu",),
    "SLURM_MEM_PER_GPU": ("--mem-per-gpu",),
    "SLURM_MEM_PER_NODE": ("--mem",),
    "SLURM_NPROCS": TASKS,
    "SLURM_NTASKS": TASKS,
    "SLURM_NTASKS_PER_GPU": ("--ntasks-per-gpu",),
    "SLURM_NTASKS_PER_NODE": ("--ntasks-per-node",),
    "SLURM_NTASKS_PER_SOCKET": ("--ntasks-per-socket",),
}
NUMBER_OF_TASKS = ("SLURM_NTASKS", "SLURM_NPROCS")
# A site's default sets one of them, unless the header asks for the other kind.
ONLY_BESIDE = {"SLURM_MEM_PER_CPU": ("--mem",), "SLURM_MEM_PER_NODE": ("--mem-per-cpu",)}
GPUS = ("--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket")
SIZE = ("--nodes", "--nodelist", *TASKS, "--cpus-per-task", *GPUS)
# A line, or a remark, that says how the file is submitted.
SUBMITS = re.compile(r"\b(?:sbatch|salloc)\b")
LETTERS = {"--cpus-per-task": "-c", "--gpus": "-G", "--ntasks": "-n"}
# Variable -> options of srun that set it for the tasks, or may do so.
OF_A_STEP = {
    "SLURM_CPUS_PER_TASK": ("cpus_per_task",),
    "SLURM_NTASKS_PER_NODE": ("tasks_per_node",),
    "SLURM_MEM_PER_CPU": ("mem",),
    "SLURM_MEM_PER_NODE": ("mem",),
}
GPUS_OF_A_STEP = ("gpus", "gpus_per_node", "gpus_per_task")
# From here on no option sets SLURM_GPUS_PER_TASK, and srun no longer reads SRUN_CPUS_PER_TASK.
CHANGED = "23.11"
# Another program completes these files, and may submit them with more options.
TEMPLATE = re.compile(r"\.(?:tmpl|tpl|template|j2|jinja2?|in|mustache|erb)$")
RULE = "variable_without_its_option"


@dataclass(frozen=True)
class _Use:
    """A variable that has no value, and what becomes of the line that it stands in."""

    name: str
    start: int | None
    line: int
    by: str
    becomes: str


@rule(RULE, verdict=WRONG, severity="warning", source=sources.SBATCH)
def variable_without_its_option(context: Context) -> Iterator[Finding]:
    """A variable that sbatch sets only where an option is given, and that option is not given."""
    lacking = [name for name in _used(context) if _lacks(context, name)]
    uses = sorted(_uses(context, lacking), key=lambda use: use.line) if lacking else []
    for name in lacking:
        use = next((use for use in uses if use.name == name), None)
        if use is not None:
            yield Finding(RULE, "warning", use.line, _message(context, use), _mend(context, name))


@rule(RULE, verdict=WRONG)
def variable_of_another_version(context: Context) -> Iterator[Finding]:
    """An empty SRUN_CPUS_PER_TASK, which srun refuses, and SLURM_GPUS_PER_TASK, which newer versions do not set."""
    used, site = _used(context), context.profile
    older = site.slurm_version is not None and not site.has_slurm(CHANGED)
    if "SLURM_CPUS_PER_TASK" in used and not site.has_slurm(CHANGED) and _lacks(context, "SLURM_CPUS_PER_TASK"):
        yield from _refused_by_srun(context)
    if "SLURM_GPUS_PER_TASK" in used and context.given("--gpus-per-task") and not older:
        yield from _set_no_more(context)


def _used(context: Context) -> list[str]:
    """The variables that the job names, where nothing of unknown content may set them."""
    script, text = context.script, context.reading.text
    if context.heterogeneous or script.seen.pure_foreign or not script.text_known or not script.directives:
        return []
    names = [name for name in SET_BY if name in text] if context.reading.shell else []
    return [] if not names or TEMPLATE.search(script.path) or _set_elsewhere(context) else names


def _refused_by_srun(context: Context) -> Iterator[Finding]:
    """srun of 22.05 to 23.02 takes an empty variable for an option without its number."""
    steps = [one for one in context.launches if one.spread is not None and one.spread.name == "srun"]
    for one in context.reading.set("SRUN_CPUS_PER_TASK"):
        empty = len(one.value) == 1 and _is(one.value[0], ["SLURM_CPUS_PER_TASK"])
        if not empty or not (one.exported or one.before_command) or one.marks.uncalled or not steps:
            continue
        version = context.profile.slurm_version
        yield Finding(
            RULE,
            "warning" if version else "note",
            one.line,
            "SLURM_CPUS_PER_TASK has no value without --cpus-per-task: in Slurm 22.05 to 23.02 each srun then stops "
            'with Invalid numeric value "" for --cpus-per-task.',
            "--cpus-per-task in the header, or this line only where the variable is set",
            sources.SRUN,
            VERSION,
        )
        return


def _set_no_more(context: Context) -> Iterator[Finding]:
    name = "SLURM_GPUS_PER_TASK"
    if _asked_for(context, name):
        return
    use = min(_uses(context, [name]), key=lambda use: use.line, default=None)
    if use is not None:
        count = context.request.extra.gpus_per_task
        yield Finding(
            RULE,
            "warning" if context.profile.slurm_version else "note",
            use.line,
            f"From Slurm {CHANGED} on no option sets {name}, not even --gpus-per-task: {_becomes(context, use)}.",
            f"the number itself: {count}" if count else "the number itself",
            sources.SBATCH,
            VERSION,
        )


# Whether the variable may have a value after all


def _lacks(context: Context, name: str) -> bool:
    """True where nothing that is known of the job sets the variable."""
    options = SET_BY[name]
    if context.given(*options) or _asked_for(context, name) or not _decided_here(context, name):
        return False
    spelt = "|".join([*options, *(LETTERS[option] for option in options if option in LETTERS)])
    written = re.compile(rf"\s(?:{spelt})(?![\w-])")
    lines, ignored = context.script.seen.lines, context.script.ignored_lines
    told = [line for number, line in enumerate(lines, 1) if number in ignored or SUBMITS.search(line)]
    return not any(written.search(line) for line in told)


def _decided_here(context: Context, name: str) -> bool:
    """True where the header says how large the job is: what it does not say may be given behind sbatch."""
    submission = context.script.seen.submission
    if submission is not None and any("$" in word for word in submission.words):
        return False
    if name in ONLY_BESIDE:
        return context.given(*ONLY_BESIDE[name])
    if "GPU" in name:
        gres = any("gpu" in (value or "") for value in context.script.values("--gres"))
        return gres or context.given(*GPUS)
    return context.given("--nodes") if name in NUMBER_OF_TASKS else context.given(*SIZE)


def _asked_for(context: Context, name: str) -> bool:
    """True where the script sets the variable, or asks whether it is set."""
    if guarded(context.reading.text, name) or re.search(rf"(?<![\w$-]){name}=|\$\?{name}\b", context.reading.text):
        return True
    asks = rf"(?:\[|\btest\b|(?<!\$)\(\(|\b(?:case|if|elif|while|until|unset)\b)[^\n]*\b{name}\b"
    return re.search(asks, context.reading.text) is not None


# What brings variables of its own, but none of Slurm's.
BRINGS = re.compile(r"conda|mamba|hook|ssh-agent|pyenv|spack|modulecmd|direnv|locale")


def _set_elsewhere(context: Context) -> bool:
    """True where a file or a text of unknown content is read, which may set anything."""
    for command in context.reading.commands:
        told = " ".join(word.shown for word in command.arguments)
        if command.name in ("source", ".") and not (command.arguments and HARMLESS.search(command.arguments[0].shown)):
            return True
        if command.name == "eval" and "$(" in told and not BRINGS.search(told):
            return True
    return bool(re.search(r"\b(?:export|declare)\s+[\"']?(?:\$\(|`)", context.reading.text))


# Where the variable is used


def _is(atom: Atom, names: list[str]) -> bool:
    return atom.kind == "variable" and atom.text in names and not atom.parts


def _empty(value: Value, names: list[str]) -> Iterator[Atom]:
    """The variables of ``names`` in a value, in arithmetic too; not those in a default of another variable."""
    for atom in value:
        if _is(atom, names):
            yield atom
        elif atom.kind in ("arithmetic", "changed"):
            for part in atom.parts:
                yield from _empty(part, names)


def _uses(context: Context, names: list[str]) -> Iterator[_Use]:
    """All places where one of the variables decides something."""
    seen: set[int | None] = set()
    for launch in context.certain:
        for use in _in_launch(context, launch, names):
            seen.add(use.start)
            yield use
    for command in _run(context):
        if command.name not in NOTHING_STARTED and not command.calls and not command.marks.substituted:
            yield from (use for use in _in_command(context, command, names) if use.start not in seen)
    if context.launches:
        yield from _in_assignments(context, names)
    if _is_csh(context) or context.reading.named("set"):
        yield from _where_the_job_stops(context, names)


def _run(context: Context) -> list[Command]:
    """The commands that the script runs, as far as its grammar could be read."""
    commands = context.reading.commands
    return [one for one in commands if not (one.marks.uncalled or one.marks.unsure or one.marks.handler)]


def _is_csh(context: Context) -> bool:
    return is_csh(f"#!{context.script.shebang}")


# Commands to which an empty word does no harm.
NOTHING_STARTED = {
    "", "[", "[[", "basename", "cat", "cd", "cp", "date", "declare", "dirname", "echo", "eval", "exit", "export",
    "grep", "head", "let", "local", "logger", "ls", "mkdir", "ml", "module", "mv", "printf", "read", "rm", "sbatch",
    "scontrol", "sed", "seq", "set", "shift", "sleep", "source", ".", "tee", "test", "touch", "trap", "typeset",
    "ulimit", "unset",
}  # fmt: skip
IN_ENVIRONMENT = ("assignment", "environment", "export")


def _in_launch(context: Context, launch: Launch, names: list[str]) -> Iterator[_Use]:
    """Options of the launchers, and arguments of the program."""
    if launch.marks.handler or launch.marks.unsure:
        return
    for layer in launch.layers:
        for setting in layer.settings:
            if setting.field in IN_ENVIRONMENT or setting.value is None or layer.kind == "shell":
                continue
            harmless = layer.name == "srun" and setting.field in GPUS_OF_A_STEP
            for index, word in enumerate(setting.words):
                before = setting.words[index - 1] if index else None
                use = _use(context, launch, word, before, _behind(launch, word), called(layer), names)
                if use is not None and not (harmless and "gets" in use.becomes):
                    yield use
    for index, word in enumerate(launch.program[1:], 1):
        before, behind = launch.program[index - 1], launch.program[index + 1 : index + 2]
        use = _use(context, launch, word, before, behind, "", names)
        if use is not None:
            yield use


def _behind(launch: Launch, word: Word) -> tuple[Word, ...]:
    """The word that follows in the command."""
    place = next((index for index, other in enumerate(launch.words) if other is word), None)
    return () if place is None else launch.words[place + 1 : place + 2]


def _in_command(context: Context, command: Command, names: list[str]) -> Iterator[_Use]:
    """Options of any other program: ``bwa mem -t $SLURM_CPUS_PER_TASK``."""
    for index, word in enumerate(command.words):
        before = command.words[index - 1] if index else None
        if index == 0 or not (_is_option(before) or word.prefix.startswith("-")):
            continue
        behind = command.words[index + 1 : index + 2]
        use = _use(context, None, word, before, behind, "", names)
        if use is not None:
            yield use


def _where_the_job_stops(context: Context, names: list[str]) -> Iterator[_Use]:
    """Under set -u, and in csh, the batch shell stops at every line that names such a variable."""
    words = [(one.line, one.marks, tuple(atom for word in one.words for atom in word.atoms)) for one in _run(context)]
    values = [(one.line, one.marks, one.value) for one in context.reading.assignments]
    for line, marks, value in [*words, *values]:
        for atom in _empty(value, names) if not (marks.uncalled or marks.unsure or marks.handler) else ():
            use = _Use(atom.text, atom.start, context.line_of(atom.start) or line, atom.by, "")
            if atom.by != TASK and (_is_csh(context) or _stops(context, use)):
                yield use


# What torch.distributed reads from the environment.
DECIDES = ("WORLD_SIZE", "LOCAL_WORLD_SIZE", "PET_NNODES", "PET_NPROC_PER_NODE")


def _in_assignments(context: Context, names: list[str]) -> Iterator[_Use]:
    """Numbers that a program finds in its environment."""
    for one in context.reading.assignments:
        if not (one.exported or one.before_command) or one.marks.uncalled or one.marks.handler or one.marks.unsure:
            continue
        for atom in _empty(one.value, names):
            calculated = any(part.kind == "arithmetic" for part in one.value)
            if calculated or (one.name in DECIDES and len(one.value) == 1):
                yield _use_of_assignment(context, one, atom)


def _use_of_assignment(context: Context, one: Assignment, atom: Atom) -> _Use:
    total = next((part for part in one.value if part.kind == "arithmetic"), None)
    if total is None:
        becomes = f"{one.name} is exported without a value"
    else:
        becomes = _of_arithmetic(context, total, atom, f"{one.name} gets no value")
    return _Use(atom.text, atom.start, context.line_of(atom.start) or one.line, atom.by, becomes)


def _use(
    context: Context,
    launch: Launch | None,
    word: Word,
    before: Word | None,
    behind: tuple[Word, ...],
    launcher: str,
    names: list[str],
) -> _Use | None:
    """What becomes of a word in which an empty variable stands; None where there is none, or where it does no harm.

    Args:
        launcher: whose option it is; "" for words of a program, of which only whole values are known to matter, and
            not parts of a name.
    """
    atom = next(_empty(word.atoms, names), None)
    if atom is None or (launch is not None and _set_for_the_step(launch, atom)):
        return None
    total = next((part for part in word.atoms if part.kind == "arithmetic" and atom in _empty((part,), names)), None)
    way = next((name for name in (total or atom).via if NAME.match(name)), "")
    if total is not None:
        becomes = _of_arithmetic(context, total, atom, f"{way} gets no value" if way else "the command is not run")
    elif len(word.atoms) == 1:
        becomes = _of_whole_word(word.atoms[0], before, behind, f"{launcher}'s " if launcher else "")
    elif not launcher and not re.fullmatch(r"[\w.+-]+=", word.prefix):
        return None
    else:
        text = "".join("" if _is(part, names) else Word((part,)).shown for part in word.atoms)
        gets = f"{launcher or 'the program'} gets '{text}'"
        becomes = gets + (" with nothing behind it" if text.endswith("=") else "")
    if any(one.value[:1] == one.value and _is(one.value[0], names) for one in context.reading.set(way) if one.value):
        becomes = f"{way} is empty, too, and {becomes}"
    return _Use(atom.text, atom.start, context.line_of(atom.start) or word.line, atom.by, becomes)


# Of a path that a message names, no more than its end.
LONGEST = 40


def _is_option(word: Word | None) -> bool:
    return word is not None and re.fullmatch(r"--?[A-Za-z@][\w-]*", word.text or "") is not None


def _of_whole_word(atom: Atom, before: Word | None, behind: tuple[Word, ...], whose: str) -> str:
    """What a command gets in the place of a word that is nothing but the variable."""
    option = before.text if _is_option(before) else None
    if atom.quoted:
        return f"{whose}{option} gets an empty value" if option else "the program gets an empty argument"
    if option is None:
        return "the program gets one argument less"
    following = behind[0] if behind and not _is_option(behind[0]) else None
    if following is None:
        return f"{whose}{option} has no value"
    text = following.text
    taken = "the next word" if text is None else f"'{text if len(text) <= LONGEST else '…' + text[-LONGEST:]}'"
    return f"{whose}{option} takes {taken} for its value"


# An operator that lacks the number in front of it or behind it; a sign needs none in front.
LACKS_NUMBER = re.compile(r"^\s*[*/%]|[-+*/%]\s*$|[-+*/%(]\s*[*/%]|[-+*/%]\s*\)")


def _of_arithmetic(context: Context, total: Atom, atom: Atom, then: str) -> str:
    """What bash makes of ``$((4 * $X))``, which it cannot read, and of ``$((4 * X))``, which it can."""
    text = ""
    if total.start is not None and total.end is not None:
        text = context.reading.text[total.start : total.end]
    inside = text.removeprefix("$((").removesuffix("))")
    without = re.sub(rf"\$\{{?{atom.text}\b\}}?", "", inside)
    if without != inside and LACKS_NUMBER.search(without):
        return f"bash cannot read '{text}' (syntax error: operand expected), and {then}"
    return "in arithmetic it counts as 0"


def _set_for_the_step(launch: Launch, atom: Atom) -> bool:
    """True where each task expands the variable, and srun may have set it for the step."""
    if atom.by != TASK or launch.spread is None:
        return False
    layer = launch.spread
    if layer.name != "srun" or launch.open or atom.text in NUMBER_OF_TASKS:
        return True
    if "GPU" in atom.text:
        return layer.has(*GPUS_OF_A_STEP)
    inherited = atom.text == "SLURM_CPUS_PER_TASK" and launch.environment.value("SRUN_CPUS_PER_TASK") is not None
    return inherited or layer.has(*OF_A_STEP.get(atom.text, ()))


# What is said


def _message(context: Context, use: _Use) -> str:
    options = SET_BY[use.name]
    if use.name in NUMBER_OF_TASKS:
        who = "Only an option for tasks (--ntasks, --ntasks-per-node) sets"
    else:
        who = f"Only {options[0]} sets"
    return f"{who} {use.name}, and this job does not give it: {_becomes(context, use)}."


def _becomes(context: Context, use: _Use) -> str:
    """What happens at the line; the whole job stops there where the shell is told so."""
    if use.by == TASK:
        return use.becomes
    if _is_csh(context):
        return f"csh stops the job there ({use.name}: Undefined variable)"
    if _stops(context, use):
        return f"with set -u the job stops there ({use.name}: unbound variable)"
    return use.becomes


def _stops(context: Context, use: _Use) -> bool:
    """True where set -u is on at the use."""
    now = re.search(r"\s-\w*u", context.script.shebang or "") is not None
    for command in context.reading.named("set"):
        if command.start is not None and use.start is not None and command.start < use.start:
            now = stops_at_unset(command, now)
    return now


def _mend(context: Context, name: str) -> str:
    """The option that sets it, with the job's own number where that is known, or a variable that every job has."""
    request = context.request
    tasks, nodes = request.tasks, request.nodes or 1
    if name == "SLURM_GPUS_PER_NODE":
        return _gpus_of_node(context)
    if name == "SLURM_GPUS":
        every = "$SLURM_GPUS_ON_NODE" if nodes == 1 else "$((SLURM_JOB_NUM_NODES * SLURM_GPUS_ON_NODE))"
        return f"{every}, which every job with GPUs has"
    if name in NUMBER_OF_TASKS:
        return "--ntasks-per-node in the header, with the ranks of a node; for one task a node, $SLURM_JOB_NUM_NODES"
    if name == "SLURM_NTASKS_PER_NODE" and context.given("--ntasks") and tasks and tasks % nodes == 0:
        return f"#SBATCH --ntasks-per-node={tasks // nodes}, or $((SLURM_NTASKS / SLURM_JOB_NUM_NODES))"
    if name == "SLURM_CPUS_PER_TASK":
        return _cores_of_a_task(context)
    if name in ONLY_BESIDE:
        return f"$SLURM_{'MEM_PER_NODE' if name.endswith('CPU') else 'MEM_PER_CPU'}, which {ONLY_BESIDE[name][0]} sets"
    if name == "SLURM_GPUS_PER_TASK":
        return "the number itself: newer versions of Slurm set no such variable"
    return f"{SET_BY[name][0]} in the header"


def _cores_of_a_task(context: Context) -> str:
    """Without the option a task has one core, unless another option or whole nodes give it more."""
    request = context.request
    if request.exclusive or context.profile.whole_nodes or context.given("--cpus-per-gpu", "--mincpus"):
        return "--cpus-per-task in the header, or $SLURM_CPUS_ON_NODE, all cores of the job on the node"
    if (request.nodes or 1) == 1 and context.given("--ntasks") and (request.tasks or 1) > 1:
        whole = f"--ntasks=1 with --cpus-per-task={request.tasks} for one program with all cores"
        return f"{whole}; --cpus-per-task=1 is what each task has now"
    return "--cpus-per-task in the header; 1 is what each task has now"


def _gpus_of_node(context: Context) -> str:
    """With a type the option's variable has it, too (a100:4), and is no number."""
    every, count = "$SLURM_GPUS_ON_NODE, which every job with GPUs has", context.request.gpus_per_node
    if not count or context.request.gpu_type:
        return every
    given = next((f"--gres={value}" for value in context.script.values("--gres") if value), None)
    return f"{every}, or #SBATCH --gpus-per-node={count}" + (f" in the place of {given}" if given else "")
