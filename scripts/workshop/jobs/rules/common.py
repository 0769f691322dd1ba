"""Rules that hold for every scheduler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.dialect import Dialect, Notion, Purpose, dialect, dialects, others
from workshop.jobs.model import ACCEPT, SUSPICIOUS, VERSION, WRONG, Directive, Edit, Finding, Write
from workshop.jobs.parts import sources
from workshop.jobs.parts.directives import revalued
from workshop.jobs.parts.values import Atom, atoms, shown
from workshop.jobs.rules.base import Context, guarded, variables
from workshop.jobs.rules.rule import rule


@rule("crlf_line_endings", verdict=WRONG)
def crlf(context: Context) -> Iterator[Finding]:
    """The file has DOS line ends."""
    if context.script.seen.crlf:
        severity, message, source = context.dialect.crlf
        yield Finding(
            "crlf_line_endings",
            severity,
            1,
            f"The file has DOS line ends (CR LF). {message}",
            _without_returns(context.script.text),
            source,
        )


def _without_returns(text: str) -> Write:
    edits = []
    for number, line in enumerate(text.split("\n"), 1):
        kept = line.rstrip("\r")
        edits += [Edit(number, line[len(kept) :], "", len(kept))] if kept != line else []
    return Write(r"dos2unix FILE, or sed -i 's/\r$//' FILE", *edits)


@rule("not_plain_text", severity="error", source=sources.SBATCH)
def byte_order_mark(context: Context) -> Iterator[Finding]:
    """The file begins with a byte order mark."""
    if context.script.seen.bom:
        yield Finding(
            "not_plain_text",
            "error",
            1,
            "The file begins with a byte order mark, so its first line is no #! line and PBS sees a command there.",
            Write("save it as UTF-8 without byte order mark", Edit(1, "\ufeff", "")),
        )


WORD_WITH_OPTION = re.compile(r"#([A-Z]{2,8})[ \t]+-{1,2}[A-Za-z]")


@rule("misspelt_directive_word", verdict=WRONG)
def misspelt_directive_word(context: Context) -> Iterator[Finding]:
    """A line of the header begins nearly like a directive."""
    script = context.script
    known = [context.dialect] if script.directives else [context.dialect, *dialects().values()]
    for number, line in enumerate(script.seen.lines[: script.body_line - 1], 1):
        match = WORD_WITH_OPTION.match(line)
        meant = match and next((one.magic for one in known if _is_slip(match[1], one.magic[1:])), None)
        if meant:
            yield Finding(
                "misspelt_directive_word",
                "warning",
                number,
                f"#{match[1]} is not {meant}: the line is a comment and has no effect.",
                f"{meant}{line[len(match[1]) + 1 :]}",
                context.dialect.manual,
            )


def _is_slip(word: str, meant: str) -> bool:
    """True where two neighbours are swapped, one is typed twice, or a letter of a long word lacks."""
    places = range(len(meant))
    slips = {meant[:i] + meant[i : i + 2][::-1] + meant[i + 2 :] for i in places}
    slips |= {meant[:i] + meant[i] + meant[i:] for i in places}
    if len(meant) > 3:
        slips |= {meant[:i] + meant[i + 1 :] for i in places}
    return word in slips and not word.startswith(meant)  # what begins with the whole word is read as a directive


@rule("body_is_not_read", severity="note")
def body_is_not_read(context: Context) -> Iterator[Finding]:
    """A file of several megabytes is data: only its directives are read."""
    if context.body_is_data:
        yield Finding(
            "body_is_not_read",
            "note",
            context.script.body_line,
            "The file has more than 4 MB: its directives were read, its body was not.",
            "keep data in a file of its own",
            context.dialect.manual,
        )


VARIABLE_IN_DIRECTIVE = re.compile(r"\$[A-Za-z_{(]|`|(?:^|[=:,])~/")
# Torque expands these itself in -o and -e; PBS Pro does not.
TORQUE_EXPANDS = {"PBS_JOBID", "PBS_JOBNAME", "PBS_O_HOST", "PBS_O_WORKDIR", "HOME", "PBS_ARRAYID"}


@rule("shell_variable_in_directive", verdict=WRONG)
def shell_variable_in_directive(context: Context) -> Iterator[Finding]:
    """No shell reads the directives, so variables in them stay as they are."""
    generated = context.script.seen.generated
    if generated and generated.expands:
        return
    for directive in context.script.directives:
        value = directive.value or ""
        if directive.option in ("--wrap", "-E", "-Ep", "-w") or not VARIABLE_IN_DIRECTIVE.search(value):
            continue
        if (
            context.script.scheduler == "torque"
            and directive.option in ("-o", "-e")
            and variables(value) <= TORQUE_EXPANDS
        ):
            continue
        refused = context.script.scheduler == "pbs" and directive.option == "-N"
        yield Finding(
            "shell_variable_in_directive",
            "error" if refused else "warning",
            directive.line,
            f"No shell reads the directives, so '{value}' is taken literally"
            + (" and qsub refuses the name." if refused else "."),
            _without_variable(context, directive),
            context.dialect.manual,
        )


def _without_variable(context: Context, directive: Directive) -> str:
    """A log's name with the scheduler's patterns; of any other option the value, or where a shell expands it."""
    told = context.dialect
    if directive.option in told.log_options:
        return _log_patterns(context, directive)
    command = told.submit.split()[0]
    return f"the value itself, or {directive.option} behind {command} on its command line, where a shell expands it"


MAKES_FOLDERS = "23.02"  # CHANGELOG/slurm-23.02.md: "Automatically create directories for stdout/stderr output files"


def _log_patterns(context: Context, directive: Directive) -> str:
    """A log's name with the scheduler's patterns, where each variable in it has one; else what a name may have."""
    told, known = context.dialect, context.dialect.log_patterns
    if directive.span is None or directive.option not in told.log_options or "`" in directive.text:
        return told.log_words
    written = directive.text[slice(*directive.span)]
    patterns = {name: known.get(told.notion_of(name)) for name in variables(written)}
    whole = re.compile(r"\$(?:\{(\w+)\}|(\w+))")  # not ${NAME:-…}
    meant = whole.sub(lambda match: patterns.get(match[1] or match[2]) or match[0], written)
    return told.log_words if "$" in meant or "~" in meant else revalued(directive, meant)


@rule("log_directory_must_exist", verdict=ACCEPT)
@rule("log_directory_must_exist_before_submit", verdict=ACCEPT, source=sources.SBATCH)
def log_directory(context: Context) -> Iterator[Finding]:
    """The folder of a log must exist: in Slurm before the job starts, elsewhere before it ends."""
    request, options = context.request, context.dialect.log_options
    if context.script.scheduler == "slurm" and context.profile.has_slurm(MAKES_FOLDERS):
        return
    for value in (request.output, request.error):
        folder = (value or "").rpartition("/")[0].rpartition(":")[2]
        if (
            not folder
            or folder in (".", "..")
            or VARIABLE_IN_DIRECTIVE.search(value or "")
            or folder.startswith("/dev")
        ):
            continue
        mkdirs = context.reading.named("mkdir")
        made = any(folder in word.shown for command in mkdirs for word in command.arguments)
        yield _log_finding(context, value, folder, made, context.line(*options))
        return


def _log_finding(context: Context, value: str, folder: str, made: bool, line: int | None) -> Finding:
    if context.script.scheduler == "slurm":
        return _slurm_log_finding(context, value, folder, made, line)
    severity = "note" if made or folder.startswith(("/", "%")) else "warning"
    return Finding(
        "log_directory_must_exist",
        severity,
        line,
        f"The scheduler does not create the folder '{folder}': without it the output is lost, without a message.",
        _make_folder(context, value, folder, "you submit"),
        context.dialect.manual,
    )


def _slurm_log_finding(context: Context, value: str, folder: str, made: bool, line: int | None) -> Finding:
    version = context.profile.slurm_version
    which = f"Slurm {version}" if version else f"Slurm before {MAKES_FOLDERS}"
    newer = "" if version else f" Since {MAKES_FOLDERS} it makes the folder itself."
    late = " The mkdir in the script comes too late for that." if made else ""
    # The script itself shows that the folder is not there beforehand.
    certain = made or (version and not folder.startswith(("/", "%")))
    return Finding(
        "log_directory_must_exist_before_submit",
        "warning" if certain else "note",
        line,
        f"{which} does not create the folder '{folder}': if it is missing when the job starts, the job fails at once "
        f"and leaves no log.{late}{newer}",
        _make_folder(context, value, folder, "sbatch"),
        sources.SBATCH,
        (WRONG if version else VERSION) if made else None,
    )


# Patterns that a scheduler replaces in the name of a log.
PATTERN = re.compile(r"%\d*[A-Za-z]|\^array_index\^|%%")


def _make_folder(context: Context, value: str, folder: str, before: str) -> str:
    """How to make the folder; one whose name is known only after the submission cannot be made."""
    name = context.request.job_name
    known = re.sub(r"%u", "$USER", folder) if context.script.scheduler == "slurm" else folder
    known = known.replace("%x", name) if name and re.fullmatch(r"[\w.+-]+", name) else known
    if not PATTERN.search(known):
        return f"mkdir -p {known} before {before}"
    start = known[: PATTERN.search(known).start()].rpartition("/")[0]
    file = value.rpartition("/")[2]
    log = (
        "%x-%j.out" if context.script.scheduler == "slurm" else "%J.out" if context.script.scheduler == "lsf" else file
    )
    option = context.dialect.log_options[0]
    joiner = "=" if option.startswith("--") else " "
    if not start:
        return f"a log in the submit directory: {option}{joiner}{log}"
    return (
        f"a folder whose name is known beforehand: mkdir -p {start} before {before}, and {option}{joiner}{start}/{log}"
    )


# Folders in which a system has mkdir and its like.
SYSTEM_PATH = re.compile(r"(?:^|:)(?:/usr)?/bin/?(?:$|:)")


def _holds_path(atom: Atom) -> bool:
    """True for the search path itself, the one of the shell that submitted (PBS hands it over), and the system's."""
    return (
        bool(atom.is_text and SYSTEM_PATH.search(atom.text))
        or atom.text in ("PATH", "PBS_O_PATH")
        or (atom.kind == "output" and "PATH" in atom.text)
    )


@rule("path_overwritten", verdict=WRONG, severity="warning", source=sources.BASH)
def path_overwritten(context: Context) -> Iterator[Finding]:
    """PATH is replaced, so that commands are not found any more."""
    for one in context.reading.set("PATH"):
        kept = any(_holds_path(atom) for atom in atoms(one.value))
        if one.value and not one.before_command and not kept:
            yield Finding(
                "path_overwritten",
                "warning",
                one.line,
                f"PATH={shown(one.value)} replaces the shell's search path: commands below it (mkdir, python, srun) "
                "are not found any more.",
                "another name for your variable, or PATH=/new/folder:$PATH",
            )
            return


def _foreign(scheduler: str, name: str) -> Dialect | None:
    """The other scheduler whose jobs have the variable ``name``; None for all other variables."""
    if name.startswith(dialect(scheduler).prefixes):
        return None
    return next((one for one in others(scheduler) if name.startswith(one.prefixes)), None)


def _equivalent(scheduler: str, name: str) -> str | None:
    """What says the same as another scheduler's variable, in the words of ``scheduler``."""
    notions = (one.notion_of(name) for one in others(scheduler))
    notion = next((notion for notion in notions if notion), None)
    return dialect(scheduler).advice(notion) if notion else None


@rule("pbs_variables_missing", "foreign_scheduler_variables", verdict=WRONG, severity="warning")
def foreign_variables(context: Context) -> Iterator[Finding]:
    """Variables of another scheduler; quiet where the script asks first whether they are set."""
    scheduler = context.script.scheduler
    everything = "\n".join(line for _, line in context.code)
    branches = _branches_for_systems(context)
    found = {
        name: line
        for name, line in context.used.items()
        if _foreign(scheduler, name)
        and not guarded(everything, name)
        and not _set_here(context, name)
        and not _uses_of(context, name) <= branches
    }
    if not found:
        return
    names = sorted(found, key=found.get)
    told = [f"{name} -> {same}" for name in names if (same := _equivalent(scheduler, name))]
    pure = context.script.seen.pure_foreign
    yield Finding(
        "pbs_variables_missing" if pure and names[0].startswith("PBS_") else "foreign_scheduler_variables",
        "warning",
        found[names[0]],
        f"{', '.join(names)}: {'variable' if len(names) == 1 else 'variables'} of another scheduler, empty in this job"
        + ("; cd with an empty name goes to HOME or stays." if _cd_uses(everything, names) else "."),
        "; ".join(told) or "the variable of this scheduler",
        context.dialect.manual,
    )


# A branch that asks which system it runs on: [ $system = pbs ], [ -n "$PBS_JOBID" ].
SYSTEMS = re.compile(r"(?<![A-Za-z])(?:pbs|torque|slurm|lsf|sge|moab|cobalt)(?![a-z])|LSB_", re.IGNORECASE)


def _branches_for_systems(context: Context) -> set[int]:
    """The lines in branches for one batch system or another."""
    parts = [*context.reading.commands, *context.reading.assignments]
    return {part.line for part in parts if any(SYSTEMS.search(asked) for asked in part.marks.condition)}


def _uses_of(context: Context, name: str) -> set[int]:
    """The lines that do more with a variable than to print it."""
    use = re.compile(rf"\$\{{?{name}\b")
    printed = {command.line for command in context.reading.commands if command.name in PRINTS}
    found = {number for number, line in context.code if use.search(line)}
    return (found - printed) or found or {0}


def _cd_uses(code: str, names: list[str]) -> bool:
    return any(re.search(rf"\bcd\s+[\"']?\$\{{?{name}\b", code) for name in names)


# Somebody says in a remark how the file is submitted as an array.
ARRAY_AT_SUBMISSION = re.compile(r"#.*(?:--array\b|\b(?:sbatch|qsub|bsub)\b.*\s(?:-a|-J|-t)\s*\S*\d)")
SWITCHED_OFF = re.compile(r"#+[ \t]*#?(?:SBATCH|PBS|BSUB)\b")
PRINTS = {"echo", "printf", "logger"}


@rule("array_index_without_array", severity="note", note_verdict=SUSPICIOUS)
def array_index_without_array(context: Context) -> Iterator[Finding]:
    """The number of an array's element is used, and the job is no array."""
    script, told = context.script, context.dialect
    if script.request.array or script.seen.pure_foreign or not script.text_known or _says_array(context):
        return
    everything = "\n".join(line for _, line in context.code)
    remarks = [line for line in script.seen.lines if line.lstrip().startswith("#") and not SWITCHED_OFF.match(line)]
    if any(ARRAY_AT_SUBMISSION.search(line) for line in remarks):
        return
    for name in told.variables.get(Notion.ARRAY_INDEX, ()):
        line = context.used.get(name)
        if line is None or guarded(everything, name) or _set_here(context, name) or _only_printed(context, name):
            continue
        empty = "0" if told.package == "lsf" else "empty"
        yield Finding(
            "array_index_without_array",
            "note",
            line,
            f"{name} is {empty} here: no {told.magic} line makes the job an array, so it has no elements with numbers.",
            f"{told.array_form}, here or behind {told.submit.split()[0]}",
            told.manual,
        )
        return


# An element of a list, taken by the number of the array's element alone.
TAKEN = re.compile(r"\$\{(\w+)\[\s*\$?\{?(\w+)\}?\s*\]\}")
MANY = re.compile(r"[*?\[{~]")


@rule("array_index_outside_list", verdict=WRONG, severity="warning", source=sources.BASH)
def array_index_outside_list(context: Context) -> Iterator[Finding]:
    """A list of bash is counted from 0, and the job array goes past its last element."""
    array, names = context.request.array, context.dialect.variables.get(Notion.ARRAY_INDEX, ())
    if array is None or context.heterogeneous or not _bash(context) or context.reading.broken:
        return
    for line, text in context.code:
        for match in TAKEN.finditer(text):
            length = _length(context, match[1]) if match[2] in names else None
            if not length or array.last < length or context.reading.set(match[2]):
                continue
            elements = "one element, number 0" if length == 1 else f"{length} elements, numbered from 0 to {length - 1}"
            unused = f", and {match[1]}[0] is used by none" if array.first > 0 else ""
            yield Finding(
                "array_index_outside_list",
                "warning",
                line,
                f"{match[1]} has {elements}: element {array.last} of the job array gets an empty value{unused}.",
                f"an array from 0 to {length - 1}, or ${{{match[1]}[{match[2]}-{array.first}]}}"
                if array.first and array.count <= length
                else f"an array from 0 to {length - 1}",
            )
            return


def _bash(context: Context) -> bool:
    """False for shells that count lists from 1, or have none."""
    shell = (context.script.shebang or "bash").split()[0].rpartition("/")[2]
    return shell in ("bash", "sh", "ksh", "env")


def _length(context: Context, name: str) -> int | None:
    """How many elements a list has that the script writes out once; None where it is put together otherwise."""
    given = context.reading.set(name)
    if len(given) != 1 or given[0].elements is None or given[0].marks.conditional or given[0].marks.repeated:
        return None
    if f"${{#{name}[" in context.reading.text:
        return None  # the script looks itself how long it is
    for element in given[0].elements:
        if any(not atom.is_text or (not atom.quoted and MANY.search(atom.text)) for atom in element):
            return None
    return len(given[0].elements)


def _says_array(context: Context) -> bool:
    """True where a directive asks for an array that could not be read, or that a shell puts in."""
    if context.dialect.package == "lsf":
        return any("[" in (value or "") or "$" in (value or "") for value in context.script.values("-J"))
    return context.given("--array", "-t" if context.script.scheduler == "torque" else "-J")


def _only_printed(context: Context, name: str) -> bool:
    """True where a variable only stands in lines that print it."""
    using = [one for one in context.reading.commands if name in one.raw]
    assigned = any(
        atom.text == name
        for one in context.reading.assignments
        for value in (one.value, *(one.elements or ()))
        for atom in atoms(value)
    )
    return bool(using) and all(one.name in PRINTS for one in using) and not assigned


def _set_here(context: Context, name: str) -> bool:
    return bool(context.reading.set(name))


def _instead(scheduler: str, command: str) -> str:
    """What to write in place of another scheduler's command."""
    if command == "scontrol":  # in jobs it is nearly always "scontrol show hostnames"
        return dialect(scheduler).advice(Notion.HOSTS)
    purposes = (one.purpose_of(command) for one in others(scheduler))
    purpose = next((purpose for purpose in purposes if purpose), Purpose.OTHER)
    return dialect(scheduler).advice(purpose) or "the command of this scheduler"


@rule("foreign_scheduler_commands", verdict=WRONG, severity="warning")
def foreign_commands(context: Context) -> Iterator[Finding]:
    """Commands of another scheduler."""
    scheduler = context.script.scheduler
    tools = frozenset().union(*(one.all_commands for one in others(scheduler))) - context.dialect.all_commands
    asks = context.reading.named("command", "which", "type", "hash")
    tested = {word.text for command in asks for word in command.arguments}
    found: dict[str, int] = {}
    for command in context.reading.commands:
        if any(SYSTEMS.search(asked) for asked in command.marks.condition):
            continue
        if command.name in tools and command.name not in tested and not command.calls:
            found.setdefault(command.name, command.line)
    if found and not context.script.seen.generated:
        names = sorted(found, key=found.get)
        yield Finding(
            "foreign_scheduler_commands",
            "warning",
            found[names[0]],
            f"{', '.join(names)}: commands of another scheduler, which this one does not have.",
            "; ".join(f"{name}: {_instead(scheduler, name)}" for name in names),
            context.dialect.manual,
        )
