"""Reading a script as sbatch does.

Rules (man sbatch; all checked against sbatch 22.05.8): a directive begins in column 1 with ``#SBATCH``; reading stops
at the first line that is neither blank nor a comment; all words of all directives form one option list; ``#PBS`` and
``#BSUB`` lines are then obeyed as well, wherever they stand.
"""

from __future__ import annotations

import re

from workshop.jobs.dialects.slurm import respell
from workshop.jobs.dialects.slurm.foreign import Wrapped, read_foreign
from workshop.jobs.dialects.slurm.options import (
    ADDS_UP,
    LONG,
    NEEDED,
    PLUGIN,
    Option,
    OptionError,
    option_words,
    parse,
)
from workshop.jobs.dialects.slurm.request import RequestBuilder
from workshop.jobs.dialects.slurm.words import BadLine, Word, split
from workshop.jobs.model import Directive, Finding, JobRequest, Script, Write
from workshop.jobs.parts import blanks, sources
from workshop.jobs.parts.directives import agreeing, revalued, shebang_on_top
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.leftover import item
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.text import BLANKS, heredocs, typographic
from workshop.jobs.parts.usage import is_usage

__all__ = ["option_words", "read"]  # what the readers of every scheduler have

MAGIC = "#SBATCH"
NOWHERE = -1_000_000  # a column that words of no line of the file begin in
# Values that sbatch passes on unread: one that a later option replaces does no harm.
CHECKED_BY_CONTROLLER = {"bad_array", "bad_gres", "bad_gpu_spec"}
NOT_REFUSED = {"bad_tres_per_task"}
LOOKS_LIKE = re.compile(r"^(?P<indent>\s*)#(?P<space>\s*)(?P<word>sbatch)(?P<rest>\s*(?:-\S|hetjob).*)$", re.IGNORECASE)
FREE_TEXT = {
    "job-name",
    "comment",
    "output",
    "error",
    "chdir",
    "mail-user",
    "account",
    "partition",
    "constraint",
    "input",
    "wckey",
    "reservation",
    "qos",
    "mail-type",
    "nodelist",
    "exclude",
    "export",
    "dependency",
}
# Options with a number of which nothing is claimed where a shell would have to put it in.
SIZE = re.compile(r"nodes|ntasks|cpus-per|gpus|gres|tres-per-task|mem|time|array")
NUMERIC = {"nodes", "ntasks", "cpus-per-task", "time", "gpus", "ntasks-per-node", "mem", "array", "gpus-per-node"}


def read(lines: list[str], script: Script) -> None:
    """Fills ``script`` from ``lines`` (1-based numbers as in the file)."""
    SlurmReader(lines, script).read()


class SlurmReader:
    """One reading of one file; the parts of it share the lines and the script."""

    def __init__(self, lines: list[str], script: Script) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.script = script
        self.words: list[list[Word]] = [[]]  # one list of words for each component of a heterogeneous job
        self.lookalikes: list[tuple[int, re.Match[str]]] = []
        self.broken = False
        self.foreign_ignored = False

    def read(self) -> None:
        self._shebang()
        first = self._header()
        self._command_line()
        self._body(first)
        foreign = self._foreign()
        requests = [self._component(words, foreign if n == 0 else None) for n, words in enumerate(self.words)]
        self.script.request = requests[0]
        if len(requests) > 1:
            self.script.components = requests
        self._foreign_findings(foreign)
        self._lookalike_findings()

    def say(
        self, rule: str, severity: str, line: int | None, message: str, fix: str = "", source: str = sources.SBATCH
    ) -> None:
        self.script.problems.append(Finding(rule, severity, line, message, fix, source))

    def _shebang(self) -> None:
        start = self.script.seen.first_line
        first = self.lines[start - 1] if len(self.lines) >= start else ""
        if first.startswith("#!"):
            self.script.shebang = first[2:].strip()
            return
        submission = self.script.seen.submission
        if submission and (submission.how == "wrap" or not submission.text_known):
            return  # sbatch writes the first line itself, or the text is not known
        self.say(
            "shebang_missing_or_not_first_line",
            "error",
            start,
            "sbatch refuses the file: 'This does not look like a batch script'. The very first line must start with "
            "#! and the path of an interpreter; even an empty line in front is too much.",
            shebang_on_top(self.lines, start),
        )

    def _header(self) -> int:
        """Reads directives; gives the number of the first line that is a command (one past the end if none)."""
        for number, line in enumerate(self.lines, 1):
            if line.startswith(MAGIC):
                self._directive(line, number)
            elif line.strip(BLANKS) and not line.lstrip(BLANKS).startswith("#"):
                return number
            else:
                self._lookalike(line, number)
        return len(self.lines) + 1

    def _command_line(self) -> None:
        """The options behind sbatch, which win over the lines of the file."""
        submission = self.script.seen.submission
        for word in submission.words if submission else ():
            self.words[-1].append(Word(word, word, submission.line, 1, False, start=-1))

    def _directive(self, line: str, number: int) -> None:
        text = line[len(MAGIC) :]
        try:
            words = self._plain_words(text, split(text, number, len(MAGIC)), number)
        except BadLine as bad:
            words = bad.words
            self._bad_line(bad, number)
        if text.rstrip().endswith("\\"):
            self._continuation(number)
        if words and words[0].text in ("hetjob", "packjob"):
            self.words.append([])
            return
        # A backslash at the end of the line leaves an empty word, which sbatch drops.
        self.words[-1].extend(word for word in words if word.text or word.raw != "\\")

    def _plain_words(self, text: str, words: list[Word], number: int) -> list[Word]:
        """The words of a line; blanks that are none are told, and then read as they were meant."""
        raw = " ".join(word.raw for word in words)
        meant = words if raw.isascii() else split(blanks.with_plain_blanks(text), number, NOWHERE)
        _, errors = parse([(word.line, word.text) for word in meant])
        kept = any(error.kind == "stray" for error in errors)
        found = blanks.finding(number, f"{MAGIC}{text}", raw, refused=not kept, whose="sbatch")
        if found is None:
            return words
        self.script.problems.append(found)
        return words if kept else meant

    def _bad_line(self, bad: BadLine, number: int) -> None:
        self.broken = True
        if bad.kind == "colon":
            self.say(
                "trailing_text_without_hash",
                "error",
                number,
                f"sbatch stops at '{bad.raw}': a word may not begin with a colon.",
                "delete it, or put '#' in front",
            )
            return
        mark = next(char for char in bad.raw if char in "\"'")
        remark = not bad.raw.startswith(("-", '"', "'")) and self._complete(bad.words)
        fix: str = "close the quote"
        if remark:
            fix = respell.commented(self._text(number), number, self._remark(bad, number))
        self.say(
            "unmatched_quote",
            "error",
            number,
            f"sbatch refuses the file: Unmatched `{mark}` in [{bad.raw.strip()}].",
            fix,
        )
        if remark:
            self.say(
                "trailing_text_without_hash",
                "error",
                number,
                f"'{bad.raw.strip()}' is a remark without '#', so sbatch reads it as options.",
                fix,
            )

    def _remark(self, bad: BadLine, number: int) -> int:
        """The column in which a remark begins that has an apostrophe in it."""
        _, errors = parse([(word.line, word.text) for word in bad.words])
        stray = next((word.start for word in bad.words if errors and word.text == errors[0].word), None)
        return len(self._text(number)) - len(bad.raw) if stray is None else stray

    @staticmethod
    def _complete(words: list[Word]) -> bool:
        """True where the last option already has its value, so that more text can only be a remark."""
        if not words:
            return False
        _, errors = parse([(word.line, word.text) for word in words])
        return not errors or errors[0].kind == "stray"

    def _continuation(self, number: int) -> None:
        following = self.lines[number] if number < len(self.lines) else ""
        harmless = following.startswith(MAGIC)
        message = (
            "A backslash does not continue a Slurm directive; the next line is a directive of its own, so here "
            "nothing is lost."
            if harmless
            else "A backslash does not continue a Slurm directive: what stands on the next line is lost, and if it is "
            "not a comment, every directive below it as well."
        )
        self.say(
            "line_continuation_not_supported",
            "note" if harmless else "warning",
            number,
            message,
            respell.continued(self.lines, number),
        )
        lost = number
        while (
            not harmless
            and lost < len(self.lines)
            and self.lines[lost].strip()
            and self.lines[lost - 1].rstrip().endswith("\\")
        ):
            lost += 1
            self.script.ignored_lines.append(lost)

    def _lookalike(self, line: str, number: int) -> None:
        match = LOOKS_LIKE.match(line)
        if not match or is_usage(match, option_words):
            return
        self.script.ignored_lines.append(number)
        self.lookalikes.append((number, match))

    def _lookalike_findings(self) -> None:
        """Lines that look like directives; one whose option stands active elsewhere is an alternative, switched off."""
        active = {directive.option for directive in self.script.directives}
        for number, match in self.lookalikes:
            if match["space"]:
                rule, what = "space_in_directive", "has a blank between # and SBATCH"
            elif match["indent"]:
                rule, what = "indented_directive", "does not begin in column 1"
            else:
                rule, what = "lowercase_directive", "is not written in capitals"
            elsewhere = self._options_of(match["rest"], number) <= active
            if rule == "space_in_directive" and elsewhere:
                continue
            self.say(
                rule,
                "note" if rule == "lowercase_directive" and elsewhere else "warning",
                number,
                f"This line {what}, so for sbatch it is a comment and has no effect.",
                self._switched_on(number, match),
            )

    def _switched_on(self, number: int, match: re.Match[str]) -> str:
        """The line as a directive, with the faults mended for which sbatch would then refuse it."""
        advice = respell.switched_on(self._text(number), number, match)
        if not isinstance(advice, Write):
            return advice
        alone = Script("slurm", self.script.path)
        SlurmReader(["#!/bin/sh", str(advice)], alone).read()
        told = [one for one in agreeing(alone.problems, ["#!/bin/sh", str(advice)]) if one.edits]
        return Write(told[0].fix, *advice.edits) if told else advice

    @staticmethod
    def _options_of(text: str, number: int) -> set[str]:
        """The options of a line that is switched off; none that could stand active where it cannot be read."""
        try:
            words = split(text, number)
        except BadLine:
            return {""}
        options, _ = parse([(word.line, word.text) for word in words])
        return {f"--{option.name}" for option in options} or {""}

    def _body(self, first: int) -> None:
        script = self.script
        script.body_line = first
        script.body = "\n".join(self.lines[first - 1 :])
        inside = {n for doc in heredocs(self.lines) for n in range(doc.start, doc.start + len(doc.lines))}
        if any("#SBATCH" in line for line in self.lines[first - 1 :]):
            inside |= string_lines(self.lines, first, script.shebang)
        lost = [
            number
            for number, line in enumerate(self.lines[first - 1 :], first)
            if line.startswith(MAGIC) and number not in inside and _is_option_line(line)
        ]
        if lost:
            script.ignored_lines.extend(lost)
            self.say(
                "directives_after_first_command",
                "warning",
                lost[0],
                f"sbatch stops reading directives at the first command (line {first}: "
                f"'{self.lines[first - 1].strip()[:60]}'). {_line_list(lost)} no effect, and there is no message.",
                f"move all {MAGIC} lines above line {first}",
            )
        script.ignored_lines.sort()

    def _component(self, words: list[Word], foreign: Wrapped | None) -> JobRequest:
        options, errors = parse([(word.line, word.text) for word in words])
        self._option_findings(options, words)
        for error in errors:
            self._option_error(error, words, options[: error.before])
        merged: dict[str, str | None] = {}
        for option in options:
            merged[option.name] = option.value
            self._record(option, words)
        if foreign and "ignore-pbs" not in merged:
            for name, value, line in foreign.options:
                merged[name] = value
                self.script.directives.append(Directive(line, self._text(line), f"--{name}", value))
        elif foreign:
            self.foreign_ignored = True
        _later_requeue(merged, options)
        unclaimed = {name for name, value in merged.items() if self.script.unclaimed(value)}
        builder = RequestBuilder(merged, unclaimed, complete=self.script.text_known)
        request = builder.build()
        if hidden := {name for name, value in merged.items() if SIZE.match(name) and self.script.undecided(value)}:
            request = RequestBuilder(merged, unclaimed | hidden, complete=self.script.text_known).build()
        for name, problem in builder.problems:
            self._bad_value(name, problem, options, foreign, words)
        self._overridden(options, words)
        _add_up(request, options, foreign)
        return request

    def _overridden(self, options: list[Option], words: list[Word]) -> None:
        """sbatch also refuses a bad value that a later option replaces."""
        last = {option.name: option for option in options}
        tried = {(option.name, option.value) for option in last.values()}
        for option in options:
            if (option.name, option.value) not in tried and not self.script.unclaimed(option.value):
                tried.add((option.name, option.value))
                builder = RequestBuilder({option.name: option.value})
                builder.build()
                for name, problem in builder.problems:
                    if problem.rule not in CHECKED_BY_CONTROLLER:
                        self._bad_value(name, problem, [option], None, words)

    def _record(self, option: Option, words: list[Word]) -> None:
        self.script.directives.append(self._as_directive(option, words))

    def _as_directive(self, option: Option, words: list[Word]) -> Directive:
        """The option with the place of its value, as it is written: behind ``=``, behind the letter, or a word."""
        word = words[option.at + option.apart]
        head = 0 if option.apart else len(option.written) - len(option.value or "")
        certain = option.value is not None and word.line == option.line and word.start >= 0
        certain = certain and (option.apart or word.raw[:head] == option.written[:head])
        span = (word.start + head, word.start + len(word.raw)) if certain else None
        return Directive(option.line, self._text(option.line), f"--{option.name}", option.value, span)

    def _text(self, line: int) -> str:
        """The line as it is read; one with options behind sbatch may stand below the text of the job."""
        return self.lines[line - 1] if line <= len(self.lines) else ""

    def _option_error(self, error: OptionError, words: list[Word], options: list[Option]) -> None:
        index = next((i for i, word in enumerate(words) if (word.line, word.text) == (error.line, error.word)), 0)
        text = self._text(error.line)
        explain = {"no_value": _no_value}
        if error.kind == "unknown" and PLUGIN.match(error.word.split("=")[0]):
            finding = _plugin(error)
        elif error.kind == "unknown" and not typographic(error.word):
            finding = _unknown(error, text)
        elif error.kind == "stray":
            finding = _stray(words, index, options, text)
        elif typographic(error.word):
            finding = _typographic_word(words[index], text)
        elif error.kind == "ambiguous":
            finding = _ambiguous(error, respell.unambiguous(text, words, error.word, error.known))
        elif error.kind == "unwanted_value":
            finding = _unwanted(error, respell.without_value(text, words, error.word))
        else:
            finding = explain[error.kind](error)
        self.script.problems.append(finding)

    def _option_findings(self, options: list[Option], words: list[Word]) -> None:
        seen: dict[str, Option] = {}
        for option in options:
            if option.abbreviated:
                self.say(
                    "abbreviated_option",
                    "warning",
                    option.line,
                    f"'{option.written.split('=')[0]}' is short for --{option.name}. It works while no other option "
                    "begins like that; a newer Slurm may refuse it as ambiguous.",
                    respell.in_full(self._text(option.line), words[option.at], option),
                )
            earlier = seen.get(option.name)
            wins = self.script.seen.submission and option.line == self.script.seen.submission.line
            alone = option.name not in ADDS_UP and earlier and earlier.value != option.value
            if alone and not (wins and earlier.line != option.line):
                self.say(
                    "duplicate_option",
                    "warning",
                    option.line,
                    f"--{option.name} is given twice (line {earlier.line}: {earlier.value}; line {option.line}: "
                    f"{option.value}). The last one wins.",
                    f"keep one --{option.name}",
                )
            seen[option.name] = option
            self._value_findings(option, words)
        for word in words:
            self._cut_finding(word, options)

    def _value_findings(self, option: Option, words: list[Word]) -> None:
        value = option.value or ""
        if option.equals_after_short:
            refused = option.name in NUMERIC or option.name == "partition"
            result = "refuses the job" if refused else "takes the equals sign as part of the value"
            self.say(
                "equals_after_short_option",
                "error" if refused else "warning",
                option.line,
                f"After a one-letter option the equals sign belongs to the value: sbatch reads '{value}' and {result}.",
                respell.without_equals(self._text(option.line), words[option.at], option),
            )
        if self.script.unclaimed(value):
            return
        raw = words[option.at].raw
        if raw.endswith("=") and len(_same_line(words, option.at)) == 1 and words[option.at].cut is None:
            self.say(
                "missing_value",
                "error" if option.name in NUMERIC else "warning",
                option.line,
                f"Nothing stands behind --{option.name}=: "
                + ("sbatch refuses an empty number." if option.name in NUMERIC else "sbatch takes an empty value."),
                f"--{option.name}=VALUE, or no such line",
            )
        elif _blank_at_equals(option) and words[option.at].cut is None and raw[-1] not in "\"'":
            refusal = f' and answers: "{value}" is not a valid node count' if option.name == "nodes" else ""
            self.say(
                "spaces_around_equals",
                "error" if option.name in NUMERIC else "warning",
                option.line,
                f"There must be no blank around '=': sbatch reads '{value}' as the value of --{option.name}{refusal}.",
                respell.joined(self._text(option.line), _same_line(words, option.at), option.name),
            )
        odd = typographic(value)
        if odd:
            self.say(
                "non_ascii_dash",
                "warning",
                option.line,
                f"'{value}' has a typographic character ({odd[0][1]}), which becomes part of the value.",
                respell.plain_value(self._text(option.line), words, option),
            )

    def _cut_finding(self, word: Word, options: list[Option]) -> None:
        if word.cut is None:
            return
        owner = next((o for o in reversed(options) if o.value_line == word.line and (o.value or "") in word.text), None)
        lost_option = re.search(r"\s-{1,2}[A-Za-z]", word.cut)
        plugin = PLUGIN.match(word.text.split("=")[0])
        empty = owner is not None and not owner.value and word.text.endswith("=")
        if not (lost_option or plugin or empty) and (owner is None or owner.name not in FREE_TEXT):
            return
        refused = empty and owner.name in NUMERIC
        self.say(
            "hash_starts_comment",
            "error" if refused else "warning",
            word.line,
            f"An unquoted '#' starts a comment, even inside a word: sbatch reads '{word.text}', and "
            f"'#{word.cut.strip()}' is lost.",
            f"your own value behind --{owner.name}="
            if refused
            else respell.quoted_hash(self._text(word.line), word, owner),
        )

    def _bad_value(
        self, name: str, problem: BadValue, options: list[Option], foreign: Wrapped | None, words: list[Word]
    ) -> None:
        option = next((o for o in reversed(options) if o.name == name), None)
        line = next((n for wrapped, _, n in reversed(foreign.options) if wrapped == name), None) if foreign else None
        line = line or (option.line if option else None)
        if option and line == option.line:
            if option.equals_after_short or _blank_at_equals(option):
                return
            if typographic(option.value or ""):
                return
            if option.value_line != option.line and (option.value or "").startswith("-"):
                self._value_of_another_line(option)
                return
        fix = problem.fix
        if option and line == option.line and problem.value is not None:
            directive = self._as_directive(option, words)
            if problem.old:
                one = item([directive], line, directive.option, problem.old, problem.value)
                fix = Write(problem.fix, *one.edits) if isinstance(one, Write) else problem.fix
            else:
                fix = revalued(directive, problem.value)
        severity = "warning" if problem.rule in NOT_REFUSED else "error"
        self.say(problem.rule, severity, line, problem.message, fix)

    def _value_of_another_line(self, option: Option) -> None:
        """An option without a value, which takes the next one for it."""
        self.say(
            "missing_value",
            "error",
            option.line,
            f"--{option.name} has no value on line {option.line}: sbatch takes '{option.value}' of line "
            f"{option.value_line} for it, and refuses that.",
            f"#SBATCH --{option.name}=VALUE, or no such line",
        )

    def _foreign(self) -> Wrapped:
        return read_foreign(self.lines)

    def _foreign_findings(self, foreign: Wrapped) -> None:
        if foreign.magic is None or self.foreign_ignored:
            return
        seen = self.script.seen
        seen.foreign, seen.pure_foreign = foreign, not any(self.words)
        hours = any(
            name == "time" and foreign.magic == "#BSUB" and ":" in (value or "") for name, value, _ in foreign.options
        )
        changed = ", ".join(
            f"--{name}={value}" if value is not None else f"--{name}" for name, value, _ in foreign.options
        )
        # For a pure PBS file the finer rules (GPUs dropped, seconds read as minutes) say what is wrong.
        finer = seen.pure_foreign and foreign.magic == "#PBS" and (foreign.dropped or _bare_walltime(foreign))
        self.say(
            "foreign_directives_are_obeyed",
            "note" if finer else "warning",
            foreign.lines[0],
            f"sbatch also reads {foreign.magic} lines ({_numbers(foreign.lines)}) and applies them after the #SBATCH "
            f"lines, so they win: {changed or 'nothing of them has an effect'}."
            + (" LSF's hours:minutes became minutes:seconds." if hours else ""),
            f"delete them, write #{foreign.magic}, or add {MAGIC} --ignore-pbs",
            sources.SLURM_XLATE,
        )
        if foreign.refused:
            why, line = foreign.refused
            self.say(
                "foreign_directives_are_obeyed",
                "error",
                line,
                f"sbatch refuses the file because of this {foreign.magic} line: {why}.",
                "translate the directives: workshop translate FILE --to slurm",
                sources.SLURM_XLATE,
            )


def _blank_at_equals(option: Option) -> bool:
    """``--nodes = 2``, ``--nodes= 2``, ``--nodes =2``."""
    value = option.value or ""
    return (option.apart and value.startswith("=")) or (value == "" and option.written.endswith("="))


def _later_requeue(merged: dict[str, str | None], options: list[Option]) -> None:
    """--requeue and --no-requeue: the later one wins."""
    for option in options:
        if option.name == "requeue":
            merged["requeue"] = None
        elif option.name == "no-requeue":
            merged["requeue"] = "no"


def _add_up(request: JobRequest, options: list[Option], foreign: Wrapped | None) -> None:
    """All the values of an option that adds up, unless a line of another scheduler set it last."""
    for name in ADDS_UP:
        values = [option.value for option in options if option.name == name and option.value]
        if len(values) > 1 and not (foreign and any(other == name for other, _, _ in foreign.options)):
            setattr(request, name.replace("-", "_"), ",".join(values))


def _bare_walltime(foreign: Wrapped) -> bool:
    return any(name == "time" and (value or "").isdigit() for name, value, _ in foreign.options)


def _is_option_line(line: str) -> bool:
    return bool(re.match(r"#SBATCH\s*(-|hetjob|packjob)", line))


def _numbers(lines: list[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(str(number) for number in lines[:12])


def _line_list(lines: list[int]) -> str:
    text = _numbers(lines)
    return text[0].upper() + text[1:] + (" has" if len(lines) == 1 else " have")


def _error(rule: str, line: int, message: str, fix: str) -> Finding:
    return Finding(rule, "error", line, message, fix, sources.SBATCH)


# "Change --workdir in sbatch to be --chdir as in all other commands" (NEWS, changes in Slurm 17.11.0rc1).
RENAMED = {"workdir": "chdir", "share": "oversubscribe"}


def _unknown(error: OptionError, text: str) -> Finding:
    name = error.word.lstrip("-").partition("=")[0]
    if name in RENAMED:
        return _error(
            "unknown_option",
            error.line,
            f"sbatch knows no option '{error.word}' and refuses the job: --{name} is now --{RENAMED[name]}.",
            (text if text.startswith("#SBATCH") else f"#SBATCH {error.word}").replace(
                f"--{name}", f"--{RENAMED[name]}", 1
            ),
        )
    return _error(
        "unknown_option",
        error.line,
        f"sbatch knows no option '{error.word}' and refuses the job.",
        "see man sbatch; options of srun alone (--mpi, --cpu-bind …) belong on the srun line",
    )


def _plugin(error: OptionError) -> Finding:
    name = error.word.split("=")[0]
    return Finding(
        "option_of_a_site_plugin",
        "note",
        error.line,
        f"{name} is no option of plain Slurm; sites add it to sbatch by a plugin. Where yours has it, the job is "
        "taken, elsewhere sbatch refuses it.",
        "ask your site's pages, or sbatch --help on its login node",
        sources.SLURM_SPANK,
    )


def _ambiguous(error: OptionError, fix: str) -> Finding:
    return _error(
        "abbreviated_option",
        error.line,
        f"'{error.word}' is ambiguous and refused: it could be {', '.join('--' + n for n in error.known)}.",
        fix,
    )


def _no_value(error: OptionError) -> Finding:
    return _error("missing_value", error.line, f"'{error.word}' needs a value.", f"{error.word}=VALUE")


def _unwanted(error: OptionError, fix: str) -> Finding:
    return _error("unwanted_value", error.line, f"'{error.word}': this option takes no value.", fix)


def _same_line(words: list[Word], index: int) -> list[Word]:
    """The words of one line, from the one at ``index`` on."""
    return [word for word in words[index:] if word.line == words[index].line]


def _typographic_word(word: Word, line: str) -> Finding:
    names = ", ".join(sorted({name for _, name in typographic(word.text)}))
    return _error(
        "non_ascii_dash",
        word.line,
        f"'{word.text}' has typographic characters ({names}): sbatch refuses it as an invalid directive.",
        respell.dashes(line, word),
    )


TO_FILL_IN = re.compile(
    r"<[A-Za-z][^<>]*>|\{\{?[^{}]*\}\}?|\[[A-Za-z][A-Za-z _]*\]|%%[\w-]+%%|@+\w+@+|XXX\w+?XXX|!TBG_\w+"
)


def _stray(words: list[Word], index: int, options: list[Option], text: str) -> Finding:
    """The word that is neither an option nor the value of one: what was it meant to be?"""
    word = words[index]
    line = [other for other in words if other.line == word.line]
    before = line[line.index(word) - 1] if line.index(word) else None
    rest = " ".join(other.raw for other in line[line.index(word) :])
    if typographic(word.text[:1]):
        return _typographic_word(word, text)
    if before is None and (place := TO_FILL_IN.match(rest)):
        return _error(
            "unknown_option",
            word.line,
            f"Invalid directive found in batch script: {word.text}",
            f"your own options in the place of {place[0]}",
        )
    if before is None:
        return _error(
            "unknown_option",
            word.line,
            f"Invalid directive found in batch script: {word.text}",
            f"options begin with dashes: #SBATCH --{word.text.lstrip('-')}",
        )
    owner = options[-1] if options and options[-1].value_line == word.line else None
    if owner is not None and owner.line != owner.value_line:
        return _error(
            "missing_value",
            owner.line,
            f"--{owner.name} has no value on line {owner.line}: sbatch takes '{owner.value}' of line {word.line} for "
            f"it, and then stops with 'Invalid directive found in batch script: {word.text}'.",
            f"#SBATCH --{owner.name}=VALUE, or no such line",
        )
    if word.text.startswith("=") or before.text.endswith("=") or before.text == "=":
        return _error(
            "spaces_around_equals",
            word.line,
            "There must be no blank around '=': sbatch takes the pieces for separate words.",
            respell.joined(text, _same_line(words, owner.at if owner else index), owner.name if owner else "option"),
        )
    if owner is not None and owner.value and not owner.value.strip("{"):
        return _error(
            "unquoted_space",
            word.line,
            f"A blank ends the value: sbatch reads --{owner.name}={owner.value} and refuses the rest of the line.",
            f"your own value in the place of '{owner.value} {rest}'",
        )
    if _splits_a_value(word, owner, rest):
        return _error(
            "unquoted_space",
            word.line,
            f"A blank ends the value: sbatch reads --{owner.name}={owner.value} and then stops with 'Invalid directive "
            f"found in batch script: {word.text}'. Old versions dropped this and every later option.",
            respell.with_its_rest(text, words, index, owner),
        )
    return _error(
        "trailing_text_without_hash",
        word.line,
        f"'{rest}' is neither an option nor a comment: 'Invalid directive found in batch script: {word.text}'.",
        respell.commented(text, word.line, word.start),
    )


def _splits_a_value(word: Word, owner: Option | None, rest: str) -> bool:
    """True where the word looks like the second half of a value rather than like a remark."""
    if owner is None or LONG.get(owner.name) != NEEDED or owner.value is None or word.gap > 1 or rest.startswith("("):
        return False
    if owner.value.endswith(","):
        return True
    if owner.name in ("mem", "mem-per-cpu", "mem-per-gpu", "tmp"):
        return bool(re.fullmatch(r"[KMGTkmgt][Bb]?", word.text))
    if owner.name in ("time", "time-min", "begin"):
        return bool(re.fullmatch(r"\d+(:\d+)*|[hms]|hours?|minutes?|min|days?", word.text))
    return owner.name in FREE_TEXT
