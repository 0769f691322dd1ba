"""Rules on commands of a body, for every scheduler: modules, conda, arguments, the script's own path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workshop.jobs.model import SUSPICIOUS, WRONG, Edit, Finding, Write
from workshop.jobs.parts import blanks, sources
from workshop.jobs.parts.reading import Command
from workshop.jobs.parts.text import DASHES, heredocs, retyped, words
from workshop.jobs.parts.values import Atom, Value, Word, atoms
from workshop.jobs.rules.base import Context
from workshop.jobs.rules.rule import rule


def _commands(context: Context) -> list[Command]:
    """The commands that run: without functions that nothing calls, and what the grammar could not read."""
    return [one for one in context.reading.commands if not one.marks.uncalled and not one.marks.unsure]


# Commands of Lmod and of Environment Modules, with their short forms.
MODULE_COMMANDS = frozenset(
    words("""
    add aliases append-path append_path apropos av avail cachebuild cacheclear cat category clear cleargetdefault config
    del describe disable disp display edit enable getdefault gd help hide info-loaded initadd initclear initlist
    initload initprepend initrm initswitch initunload is-avail is-loaded is-saved is-used isavail isloaded key keyword
    lint list listdefaults load load-any ls mcc mod-to-sh ov overview path paths prepend-path prepend_path purge
    r refr refresh rel reload remove remove-path remove_path reset restore rest rm s save saveinit savelist saverm
    saveshow sd search setdefault sh-to-mod show sl source spider stash stashclear stashlist stashpop stashrm stashshow
    state sw swap switch tablelist test try-add try-load unhide unload unsetenv unuse up update use variant what
    whatis whatis-name
    """)
)


@rule("module_line_without_command", verdict=WRONG, severity="warning", source=sources.MODULES)
def module_without_command(context: Context) -> Iterator[Finding]:
    """The word behind module is no command such as load, purge or use."""
    for command in _commands(context):
        if command.name != "module" or command.calls:
            continue
        first = next((word for word in command.arguments if not word.prefix.startswith("-")), None)
        if first is None or first.text is None or first.many or first.text in MODULE_COMMANDS or not first.text:
            continue
        given = " ".join(word.shown for word in command.arguments[command.arguments.index(first) :])
        yield Finding(
            "module_line_without_command",
            "warning",
            command.line,
            f"'{first.text}' is no command of module, so nothing is loaded (Lmod and Environment Modules only print "
            "their help or an error).",
            _loaded(context, first, given),
        )


def _loaded(context: Context, first: Word, given: str) -> str:
    """The line with ``load`` in it; only that word where its place in the file is not certain."""
    name = first.text or ""
    line = context.rewritten(first.start, name, f"load {name}")
    return line if isinstance(line, Write) else f"module load {given}"


CONDA = re.compile(r"conda|mamba|miniforge", re.IGNORECASE)
# Modules that bring conda under another name: of OLCF (Summit), of ALCF (Aurora), and plain "python", which is conda's
# at NERSC, FAS Research Computing and others.
WITH_CONDA = re.compile(r"open-ce|ibm-wml|powerai|\bframeworks\b|\Apython\Z")
HOOK = re.compile(r"\bhook\b")
LOGIN = re.compile(r"\s(?:-\w*l\w*|--login)\b")


@rule("conda_activate_without_hook", verdict=WRONG, source=sources.CONDA)
def conda_activate(context: Context) -> Iterator[Finding]:
    """conda activate is a shell function, which nothing above has brought; or set -u is on above it."""
    shebang = context.script.shebang
    hook = shebang is None or bool(LOGIN.search(shebang)) or bool(context.given("-L", "-S"))
    unset_stops = False
    hook = hook or bool(context.reading.broken)
    assigned = iter(sorted(context.reading.assignments, key=lambda one: one.line))
    waiting = next(assigned, None)
    for command in _commands(context):
        while waiting is not None and waiting.line <= command.line:
            hook = hook or any(HOOK.search(atom.text) for atom in waiting.value)
            waiting = next(assigned, None)
        activates = command.name in ("conda", "mamba") and [word.text for word in command.arguments[:1]] == ["activate"]
        if activates and not command.calls and (not hook or unset_stops):
            yield _conda_finding(command, hook)
            return
        hook = hook or _brings_conda(command)
        unset_stops = stops_at_unset(command, unset_stops)


def _brings_conda(command: Command) -> bool:
    """True where a command brings the shell function, or may do so: a file that is sourced can hold anything."""
    shown = [word.shown for word in command.arguments]
    if command.name in ("source", "."):
        return bool(shown)
    if command.name == "eval":
        return any(HOOK.search(text) or CONDA.search(text) for text in shown)
    if command.name in ("module", "ml"):
        return any(CONDA.search(text) or WITH_CONDA.search(text) or "$" in text for text in shown)
    return False


def stops_at_unset(command: Command, now: bool) -> bool:
    if command.name != "set":
        return now
    given = [word.text or "" for word in command.arguments]
    for index, word in enumerate(given):
        long = word in ("-o", "+o") and given[index + 1 : index + 2] == ["nounset"]
        if long or re.match(r"[-+][a-zA-Z]*u", word):
            now = word.startswith("-")
    return now


def _conda_finding(command: Command, hook: bool) -> Finding:
    name = command.name
    if hook:
        return Finding(
            "conda_activate_without_hook",
            "warning",
            command.line,
            f"set -u is on where '{name} activate' runs: scripts of the environment (activate.d) may stop the job at a "
            "variable that is not set.",
            f"set +u; {' '.join(word.shown for word in command.words)}; set -u",
            verdict=SUSPICIOUS,
        )
    return Finding(
        "conda_activate_without_hook",
        "warning",
        command.line,
        f"'{name} activate' is a function of the shell, and nothing above brings it: a job's shell does not read "
        "~/.bashrc. It fails with \"Run 'conda init' before 'conda activate'\", and python is another one.",
        f'eval "$({name} shell.bash hook)"   in a line above'
        if name == "conda"
        else 'eval "$(mamba shell hook --shell bash)"   in a line above',
    )


# Programs and words of the shell that take "=" as an argument of their own.
TAKE_EQUALS = frozenset(words("test expr let printf echo set alias eval print"))


@rule("blanks_in_assignment", verdict=WRONG, severity="warning", source=sources.BASH)
def blanks_in_assignment(context: Context) -> Iterator[Finding]:
    """``NAME = value`` calls a program NAME; the variable stays as it was."""
    if not context.reading.shell:
        return
    for command in _commands(context):
        if len(command.words) < 2 or command.calls or command.name in TAKE_EQUALS:
            continue
        if command.marks.piped_from or any(atom.quoted for atom in command.words[1].atoms[:1]):
            continue  # tr '=' '_'
        name, sign = command.words[0].text or "", command.words[1].prefix
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or not re.match(r"=(?![=~])", sign):
            continue
        yield Finding(
            "blanks_in_assignment",
            "warning",
            command.line,
            f"With a blank around '=' this sets no variable: the shell looks for a program {name} ('command not "
            f"found'), and ${name} stays as it was.",
            f"{name}={_meant(command)} without blanks around '='",
        )


def _meant(command: Command) -> str:
    """The value, in quotes where it has blanks; VALUE where it is not known what belongs to it."""
    words = [command.words[1].shown.removeprefix("="), *(word.shown for word in command.words[2:])]
    text = " ".join(word for word in words if word)
    if not text or re.search(r"[\"'`\\]|\$\(", text):
        return "VALUE"
    return f'"{text}"' if re.search(r"[\s()\[\]*?<>|&;]", text) else text


@rule("test_without_blanks", verdict=WRONG, severity="warning", source=sources.BASH)
def test_without_blanks(context: Context) -> Iterator[Finding]:
    """``[`` is a command: it and its ``]`` stand alone."""
    for start, text in context.reading.tests:
        bracket = "[[" if text.startswith("[[") else "["
        inside = text[len(bracket) : -len(bracket)].strip()
        meant = f"{bracket} {inside} {']' * len(bracket)}"
        last = text[-len(bracket) - 1 : -len(bracket)] not in " \t"
        yield Finding(
            "test_without_blanks",
            "warning",
            context.line_of(start),
            f"'{bracket}' is a word of its own, and so is the bracket at the end: with no blank beside it the test "
            + (f'fails with "[: missing `]\'", whatever {inside} is.' if last else "is a command that is not found."),
            context.rewritten(start, text, meant),
        )


BLANK_BEHIND = re.compile(r"(?<!\\)(?:\\\\)*\\(?P<blanks>[ \t]+)$")
REMARK_BEHIND = re.compile(r"[ \t]\\[ \t]+(?P<remark>#[^\"'`]*)$")


@rule("blank_behind_backslash", verdict=WRONG, severity="warning", source=sources.BASH)
def blank_behind_backslash(context: Context) -> Iterator[Finding]:
    """A backslash continues a line only as its last character."""
    if not context.reading.shell or context.script.seen.generated:
        return
    data = {n for one in heredocs(context.script.seen.lines) for n in range(one.start, one.start + len(one.lines))}
    for number, line in context.code:
        match, remark = BLANK_BEHIND.search(line), REMARK_BEHIND.search(line)
        if (match is None and remark is None) or number in data:
            continue
        what = "A remark" if remark else "A blank"
        yield Finding(
            "blank_behind_backslash",
            "warning",
            number,
            f"{what} follows the backslash at the end of the line, so the command ends here with a blank as its last "
            "argument, and the next line is a command of its own.",
            f"a backslash as the last character, and {remark['remark'].strip()} on a line above the command"
            if remark
            else Write(
                "delete the blank behind the backslash", Edit(number, match["blanks"], "", match.start("blanks"))
            ),
        )


PRINTS = ("echo", "printf", "cat", "logger", "dirname", "basename", "readlink", "realpath", "pwd", "exec")
OWN_PATH = re.compile(r"\$\{?0\b|\$\{?BASH_SOURCE\b")
FOLDER_OF = re.compile(r"\bdirname\b")


@rule("script_path_is_a_copy", verdict=WRONG, severity="warning")
def script_path(context: Context) -> Iterator[Finding]:
    """In a job $0 is a copy in a folder of the scheduler, beside which nothing lies."""
    if context.script.seen.submission:
        return
    for command in _commands(context):
        if command.name in PRINTS:
            continue
        if any(_is_own_folder(atom) or _is_beside(atom) for word in command.words for atom in atoms(word.atoms)):
            submit = {"slurm": "SLURM_SUBMIT_DIR", "lsf": "LS_SUBCWD"}.get(context.script.scheduler, "PBS_O_WORKDIR")
            yield Finding(
                "script_path_is_a_copy",
                "warning",
                command.line,
                "The scheduler runs a copy of the script in a folder of its own, so $0 and BASH_SOURCE do not lead to "
                "the files beside the script.",
                f'"${submit}" (the folder from which the job was submitted), or an absolute path',
                context.dialect.manual,
            )
            return


def _is_beside(atom: Atom) -> bool:
    """``$(dirname "$HERE")``, where HERE is the script's own folder: the command holds its text."""
    return atom.kind == "output" and len(FOLDER_OF.findall(atom.text)) > 1 and bool(OWN_PATH.search(atom.text))


def _is_own_folder(atom: Atom) -> bool:
    """``$(dirname "$0")``, ``${0%/*}`` and the like."""
    if atom.kind == "output":
        return bool(OWN_PATH.search(atom.text) and FOLDER_OF.search(atom.text))
    return atom.kind == "changed" and bool(re.match(r"(?:0|BASH_SOURCE)(?:\[\d+\])?%", atom.text))


@rule("script_arguments_do_not_arrive", verdict=WRONG, severity="warning")
def script_arguments(context: Context) -> Iterator[Finding]:
    """qsub and bsub < hand no arguments on to the script."""
    script = context.script
    by_file = script.scheduler == "lsf" and context.submit is not None and "<" not in context.submit
    if script.scheduler == "slurm" or script.seen.generated or by_file or context.given("-F"):
        return
    found = _first_argument(context)
    if found is None:
        return
    name, line = found
    lsf = script.scheduler == "lsf"
    how = "bsub < FILE reads the script from its input" if lsf else "qsub FILE takes no arguments for the script"
    yield Finding(
        "script_arguments_do_not_arrive",
        "warning",
        line,
        f"{how}: ${name} is empty in the job.",
        'bsub -env "all, NAME=value" < FILE, and $NAME in the script'
        if lsf
        else "qsub -v NAME=value FILE, and $NAME in the script",
        context.dialect.manual,
    )


def _first_argument(context: Context) -> tuple[str, int] | None:
    """The first use of an argument of the script itself, and its line."""
    places: list[tuple[int, Value]] = []
    for command in _commands(context):
        if not command.marks.function and not command.marks.conditional:
            places += [(command.line, word.atoms) for word in command.words]
    for one in context.reading.assignments:
        marks = one.marks
        if not (marks.function or marks.conditional or marks.uncalled or marks.unsure):
            places += [(one.line, value) for value in (one.value, *(one.elements or ()))]
    for line, value in sorted(places, key=lambda place: place[0]):
        for atom in value:
            if name := _argument(atom):
                return name, line
    return None


def _argument(atom: Atom) -> str | None:
    """The argument that a piece is; one with a default is none."""
    if atom.kind == "argument" and not atom.parts and re.fullmatch(r"[1-9]\d*|[@*]", atom.text):
        return atom.text
    if atom.kind == "variable" and atom.text == "#":
        return atom.text
    changed = re.match(r"([1-9@*])[%#:/^,]", atom.text) if atom.kind == "changed" else None
    if changed and not re.match(r".:?[-+=]", atom.text):
        return changed[1]
    inner = (part for value in atom.parts for part in value) if atom.kind == "loop" else ()
    return next((name for part in inner if (name := _argument(part))), None)


@rule("no_break_blank", verdict=WRONG)
def odd_blank_in_command(context: Context) -> Iterator[Finding]:
    """A command with a blank that is no ASCII blank: the shell takes it for a letter."""
    if context.script.text.isascii():
        return
    told: set[int] = set()
    for line, value in _unquoted_values(context):
        text = "".join(atom.text for atom in value if atom.is_text and not atom.quoted)
        found = blanks.codes(text)
        if found and line not in told:
            told.add(line)
            yield Finding(
                "no_break_blank",
                "warning",
                line,
                f"Line {line} has a blank that is no ASCII blank ({', '.join(found)}; 'cat -A' shows it): the shell "
                "takes it for a letter of the word.",
                _with_plain_blanks(context, line),
                sources.BASH,
            )


def _with_plain_blanks(context: Context, line: int) -> str:
    """The line as it was meant; with the edit where each of its quotes is closed on it."""
    text = context.script.seen.lines[line - 1]
    plain = blanks.with_plain_blanks(text)
    closed = all(text.count(quote) % 2 == 0 for quote in "\"'") and "`" not in text and not text.endswith("\\")
    return Write(plain.strip(), Edit(line, text, plain)) if closed else plain.strip()


@rule("non_ascii_dash", verdict=WRONG)
def typographic_dash_in_command(context: Context) -> Iterator[Finding]:
    """An option in the body that begins with a typographic dash."""
    if context.script.text.isascii():
        return
    for command in _commands(context):
        if command.name in ("echo", "printf"):
            continue
        for word in command.arguments:
            first = word.atoms[0] if word.atoms else None
            if first and first.is_text and not first.quoted and re.match(rf"-?[{DASHES}]-?[A-Za-z]", first.text):
                yield Finding(
                    "non_ascii_dash",
                    "warning",
                    word.line or command.line,
                    f"'{first.text}' does not begin with ASCII hyphens: the program does not see an option there.",
                    context.rewritten(word.start, first.text, retyped(first.text)),
                    sources.BASH,
                )


def _unquoted_values(context: Context) -> list[tuple[int, Value]]:
    found = [
        (word.line, word.atoms) for command in _commands(context) for word in command.words if word.start is not None
    ]
    names = [one for one in context.reading.assignments if one.start is not None and not one.marks.unsure]
    found += [(one.line, (Atom("text", one.name), *one.value)) for one in names]
    total = len(context.script.seen.lines)
    return sorted([place for place in found if 0 < place[0] <= total], key=lambda place: place[0])
