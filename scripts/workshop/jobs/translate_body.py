"""The commands of a job script in another scheduler's words: variables, tools, launch lines, working directory."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workshop.jobs.dialect import Dialect, Notion, Purpose, dialect, others
from workshop.jobs.fates import Lists
from workshop.jobs.model import JobRequest
from workshop.jobs.parts import grammar
from workshop.jobs.parts.csh import is_csh
from workshop.jobs.parts.directives import quoted
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.script_words import read_script
from workshop.jobs.parts.text import heredocs
from workshop.jobs.parts.used import used_arguments
from workshop.jobs.parts.written import Loss
from workshop.jobs.rules.base import Context, guarded, variables
from workshop.jobs.translate_launch import translate_launches

# Notions that a variable of the same kind says in each scheduler. The hosts are a list in one and a file in the others.
NAMED = tuple(notion for notion in Notion if notion is not Notion.HOSTS)
# Purposes whose commands take job ids in every scheduler, so that the name alone can be changed.
BY_JOB_ID = (Purpose.CANCEL, Purpose.STATUS)


def _same_tools(source: Dialect, target: Dialect) -> list[tuple[str, str]]:
    """(command of the source, its equal of the target), where the arguments stay what they are."""
    purposes = list(BY_JOB_ID)
    if "<" not in source.submit + target.submit:
        purposes.insert(0, Purpose.SUBMIT)
    return [(source.commands[purpose][0], target.commands[purpose][0]) for purpose in purposes]


DIRECTIVE_LINE = re.compile(r"^[ \t]*#\s?(BSUB|SBATCH|PBS)\b")


@dataclass
class Body:
    """A translated body: its lines, what had no counterpart, and what became of the launchers' options."""

    lines: list[str] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    lists: Lists = field(default_factory=Lists)


def translate_body(context: Context, to: str, request: JobRequest, header: Context) -> Body:
    """The body of a script for the scheduler ``to`` (``slurm``, ``pbs`` or ``lsf``).

    Args:
        request: as the body uses it. header: that was written for ``to``.
    """
    return _Translator(context, to, request, header).run()


class _Translator:
    def __init__(self, context: Context, to: str, request: JobRequest, header: Context) -> None:
        self.context, self.header, self.shape = context, header, header.shape
        script = context.script
        self.script, self.to, self.request = script, to, request
        self.source = script.scheduler
        self.old, self.new = dialect(script.scheduler), dialect(to)
        self.old_body, self.new_body = self.old.part("body"), self.new.part("body")
        self.result = Body()
        # Where a mark goes: in front of the command, never into a string that runs over several lines.
        self.mark_at = 0

    def run(self) -> Body:
        lines = self.script.seen.lines
        first = f"#!{self.script.shebang or '/bin/sh'}"
        if not (grammar.is_shell(first) or is_csh(first)):
            return self._other_language(lines)
        lines = self._launched(lines)
        written = self._written_jobs(lines)
        starts = self._starts(lines, written)
        folder = self._start_folder(lines)
        self._arguments()
        for number, text in enumerate(lines[self.script.body_line - 1 :], self.script.body_line):
            if folder and text.strip() and not re.match(r"\s*(#|set\s+[-+])", text):
                self.result.lines.append(folder)
                folder = ""
            if number in starts or not text.strip() or text.lstrip().startswith("#"):
                self.mark_at = len(self.result.lines)
            if not DIRECTIVE_LINE.match(text):
                self._line(text)
            elif number in written:
                self._keep_directive(text)
        return self.result

    def _launched(self, lines: list[str]) -> list[str]:
        """The lines with the launches in the target's words, each below the remarks on it."""
        found = translate_launches(self.context, self.header)
        self.result.lists = found.lists
        text, starts = "\n".join(lines), self._starts(lines, self._written_jobs(lines))
        begins = [0, *(match.end() for match in re.finditer("\n", text))]
        edits = [(begins[one.line - 1] + one.column, one.length, one.new) for one in found.edits]
        for line, told in found.marks:
            first = max((number for number in starts if number <= line), default=self.script.body_line)
            indent = re.match(r"[ \t]*", lines[first - 1])[0]
            edits.append((begins[first - 1], 0, f"{indent}# {told}\n"))
            what, _, reason = told.partition(": ")[2].rpartition(": ")
            self.result.losses.append(Loss(what, reason))
        for start, length, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
            text = text[:start] + new + text[start + length :]
        return text.split("\n")

    def _written_jobs(self, lines: list[str]) -> set[int]:
        """Lines inside here-documents and strings: a directive there belongs to another job, which this one writes."""
        found = string_lines(lines, self.script.body_line, self.script.shebang)
        for document in heredocs(lines):
            found.update(range(document.start, document.start + len(document.lines)))
        return found

    def _keep_directive(self, text: str) -> None:
        what = "directives of a job that this script writes"
        if all(loss.what != what for loss in self.result.losses):
            self._mark(what, "translate that job by itself")
        self.result.lines.append(text)

    def _other_language(self, lines: list[str]) -> Body:
        """A body that no shell reads stays as it is; variables of the old scheduler are marked."""
        strings = string_lines(lines, self.script.body_line, self.script.shebang)
        if self.old.starts_at_home != self.new.starts_at_home:
            self._mark("start folder", "PBS starts a job in $HOME, the others where it was submitted")
        for number, text in enumerate(lines[self.script.body_line - 1 :], self.script.body_line):
            if number not in strings:
                self.mark_at = len(self.result.lines)
                if DIRECTIVE_LINE.match(text):
                    continue
            names = [name for name in re.findall(r"\b[A-Z]+_\w+", text) if name.startswith(self.old.prefixes)]
            if names and self.source != self.to and not text.lstrip().startswith("#"):
                indent = text[: len(text) - len(text.lstrip())] if number not in strings else ""
                self._mark(", ".join(dict.fromkeys(names)), f"{self.to} sets no such variable", indent)
            self.result.lines.append(text)
        return self.result

    def _starts(self, lines: list[str], inside: set[int]) -> set[int]:
        """Lines at which a command may begin: not inside a string, and not behind a backslash."""
        numbers = range(self.script.body_line, len(lines) + 1)
        return {number for number in numbers if number not in inside and not _goes_on(lines, number - 1)}

    def _start_folder(self, lines: list[str]) -> str:
        """PBS starts in HOME, the others in the submit folder: the line that makes up for it, or nothing."""
        body = "\n".join(lines[self.script.body_line - 1 :])
        if not body.strip():
            return ""
        here, own = self.request.extra.start_in_submit_dir, self.request.extra.chdir
        if self.new.starts_at_home and own and not self.old.starts_at_home:
            return f"cd {quoted(str(own))}"
        if self.new.starts_at_home and (here or not self.old.starts_at_home):
            return "" if _goes_first(body) else f'cd "${self.new.variable(Notion.SUBMIT_DIR)}"'
        if re.search(r"^\s*(cd|pushd)\b", body, re.MULTILINE):
            return ""
        if self.old.starts_at_home and not self.new.starts_at_home and not here:
            self._mark("start folder", "PBS started this job in $HOME; here it starts where it is submitted")
        return ""

    def _arguments(self) -> None:
        """A script that is submitted gets words behind its name from sbatch only."""
        passes = self.old.package == "slurm" and self.new.package != "slurm"
        names = used_arguments(self.script.text) if passes else {}
        if names:
            why = f"{self.new.title} hands no words to a submitted script: hand them over as variables"
            self._mark(", ".join(f"'{name}'" for name in names), why)

    def _mark(self, what: str, reason: str, indent: str = "", verb: str = "NOT TRANSLATED") -> None:
        self.result.lines.insert(self.mark_at, f"{indent}# {verb}: {what}: {reason}")
        self.mark_at += 1
        self.result.losses.append(Loss(what, reason))

    def _line(self, text: str) -> None:
        if text.lstrip().startswith("#"):
            self.result.lines.append(text)
            return
        indent = text[: len(text) - len(text.lstrip())]
        new = self._variables(self._tools(self._expressions(text)))
        for reason, what in self._left(new):
            self._mark(what, reason, indent)
        for name, reason in self._of_the_site(new):
            self._mark(f"'{name}'", reason, indent, verb="CHECK")
        self.result.lines.append(new)

    def _expressions(self, text: str) -> str:
        """Host lists and counts, which are whole commands in some schedulers and variables in others."""
        for pattern, notion in self.old_body.COUNTS:
            text = pattern.sub(lambda _, notion=notion: self._value(notion), text)
        if self.old.package == self.new.package:
            return text
        hosts = self.new_body.HOSTS
        if self.old_body.FIRST_HOST:
            text = self.old_body.FIRST_HOST.sub(lambda _: hosts + " | head -n 1", text)
        text = self.old_body.HOST_LIST.sub(lambda _: hosts, text)
        if self.new_body.REQUEUE:
            text = self._requeue().sub(lambda _: self.new_body.REQUEUE, text)
        return self.new_body.adapt(text, self.old)

    def _requeue(self) -> re.Pattern[str]:
        """The source's command with which a job requeues itself."""
        names = "|".join(self.old.variables[Notion.JOB_ID])
        return re.compile(rf"{self.old.advice(Purpose.REQUEUE)} \"?\$\{{?(?:{names})\}}?\"?")

    def _value(self, notion: Notion) -> str:
        """What gives a number in the target's words."""
        value = (self._tasks() if notion is Notion.TASKS else self.new.variable(notion)) or ""
        return f"${value}" if not value.startswith("$") else value

    def _tasks(self) -> str | None:
        """What gives the number of tasks that the source's scheduler counts; LSF's are cores."""
        usual, before, after = self.new.variable(Notion.TASKS), self.context.shape.tasks, self.shape.tasks
        cores = self.shape.cpus_per_task
        if before is None or after is None or before == after or usual is None:
            return usual
        if before == self.shape.nodes:
            return self.new.variable(Notion.NODES)
        if usual.startswith("$"):
            return f"${before}"
        if after % before == 0:
            return f"$(({usual} / {after // before}))"
        each = self.new.variable(Notion.CPUS_PER_TASK)
        return f"$(({usual} * {each}))" if each and before == after * (cores or 1) else f"${before}"

    def _variables(self, text: str) -> str:
        names = self._table()
        quoted_part = re.compile(r"\$\{(\w+)\}|\$(\w+)|\b([A-Z][A-Z_]{4,})\b")

        def one(match: re.Match[str]) -> str:
            name = match[1] or match[2] or match[3]
            new = names.get(name)
            if new is None:
                return match[0]
            if match[3] and new.startswith("$"):
                short = new[1:] if re.match(r"\$(\d|\(\()", new) else new
                return short if _in_sum(match) else match[0]
            if match[3]:
                return new
            if re.fullmatch(r"\$\d+", new):
                return new[1:]
            if new.startswith("$"):
                return new
            return f"${{{new}}}" if match[1] else f"${new}"

        return quoted_part.sub(one, text)

    def _table(self) -> dict[str, str]:
        table: dict[str, str] = {}
        # In an array LSF's one number is that of the whole array, which the others give another name.
        first = (Notion.ARRAY_ID,) if self.request.array else ()
        for notion in (*first, *NAMED):
            new = self.new.variable(notion)
            for old in self.old.variables.get(notion, ()):
                if new and not old.startswith("$"):
                    table.setdefault(old, self._tasks() if notion is Notion.TASKS else new)
        if shift := self._shift():
            new = f"$(({self.new.variable(Notion.ARRAY_INDEX)} - {shift}))"
            table.update(dict.fromkeys(self.old.variables.get(Notion.ARRAY_INDEX, ()), new))
        if self.old.name != self.new.name:
            numbers = {name: f"${number}" for name, number in self.old_body.numbers(self.request).items()}
            same = getattr(self.old_body, "ONLY", {}).get(self.old.name, ())
            related = self.old.package == self.new.package
            table.update({name: number for name, number in numbers.items() if not related or name in same})
        if self.old.package != self.new.package:
            table.update(getattr(self.old_body, "ANYWHERE", {}))
        return {name: new for name, new in table.items() if not self.context.reading.set(name)}

    def _shift(self) -> int:
        """By how much an array's indices are more than they were: LSF's begin at 1."""
        before, after = self.request.array, self.header.request.array
        return after.first - before.first if before and after else 0

    def _tools(self, text: str) -> str:
        for old, new in _same_tools(self.old, self.new) if self.old.package != self.new.package else ():
            changed = re.sub(rf"(?<![\w/.-]){old}(?![\w.=-])", new, text)
            if changed != text and re.search(rf"(?<![\w/.-]){old}\s+(\S+\s+)*?-", text):
                self._mark(f"options of {old}", f"{new} has other options: write them anew")
            text = changed
        return text

    def _left(self, text: str) -> list[tuple[str, str]]:
        """What is still in the source's words: (reason, what)."""
        found = []
        if self.old.package == self.new.package:
            only = getattr(self.old_body, "ONLY", {}).get(self.old.name, ())
            return [(f"{self.to} sets no such variable", f"${name}") for name in sorted(variables(text) & set(only))]
        per_task = {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"}
        for name in sorted(variables(text)):
            if name.startswith(self._foreign_prefixes()) and name not in self._table().values():
                reason = (
                    "each MPI sets its own rank variable (OMPI_COMM_WORLD_RANK, PMI_RANK)"
                    if name in per_task
                    else f"{self.to} sets no such variable"
                )
                found.append((reason, f"${name}"))
        for command in read_script(text).commands:
            if command.name in self._foreign_commands():
                found.append((self._counterpart(command.name), command.name))
        return found

    def _foreign_prefixes(self) -> tuple[str, ...]:
        """Beginnings of variables that the new scheduler does not set; a script may use those of a third one."""
        return tuple(prefix for one in others(self.to) for prefix in one.prefixes)

    def _foreign_commands(self) -> set[str]:
        return {name for one in others(self.to) for name in one.all_commands} - self.new.all_commands

    def _of_the_site(self, text: str) -> list[tuple[str, str]]:
        """(variable, why to look at it) of those that the new scheduler's jobs have only where the site makes them."""
        if self.old.package == self.new.package:
            return []
        known = getattr(self.old_body, "OF_THE_SITE", {})
        used = {name for name in variables(text) & set(known) if not guarded(text, name)}
        return [(name, known[name]) for name in sorted(used) if not self.context.reading.set(name)]

    def _counterpart(self, command: str) -> str:
        """What the target has in the place of one of the source's commands."""
        purpose = next((one.purpose_of(command) for one in others(self.to) if command in one.all_commands), None)
        other = self.new.advice(purpose) if purpose else None
        return (
            f"in {self.to} it is {other}, with other words" if other else f"{self.to} has commands of its own for this"
        )


# Lines that read no file: a script may have them above its cd.
READS_NOTHING = re.compile(r"\s*(#|set\s|export\s+\w+=[^$`]*$|\w+=[^$`]*$|module\s|ml\s|ulimit\s|umask\s|echo\s|$)")


def _goes_first(body: str) -> bool:
    """True where a script goes to a folder of its own before anything else that looks for files."""
    first = next((line for line in body.split("\n") if not READS_NOTHING.match(line)), "")
    return bool(re.match(r"\s*(cd|pushd)\b", first))


def _in_sum(match: re.Match[str]) -> bool:
    """True inside of ``$(( ))``, where a variable needs no sign."""
    above = match.string[: match.start()]
    return above.rfind("$((") > above.rfind("))")


def _goes_on(lines: list[str], number: int) -> bool:
    """True where the line (1-based) ends with a backslash and so goes on in the next one."""
    return 1 <= number < len(lines) and lines[number - 1].endswith("\\") and not lines[number - 1].endswith("\\\\")


__all__ = ["Body", "translate_body"]
