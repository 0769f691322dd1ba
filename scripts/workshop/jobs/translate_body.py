"""The commands of a job script in another scheduler's words: variables, tools, launch lines, working directory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from workshop.jobs.dialect import Dialect, Notion, Purpose, dialect
from workshop.jobs.launch import Layer, Setting
from workshop.jobs.launch.read import read_launches
from workshop.jobs.model import JobRequest, Script
from workshop.jobs.parts import grammar
from workshop.jobs.parts.csh import as_sh, is_csh
from workshop.jobs.parts.inside import string_lines
from workshop.jobs.parts.script_words import read_script
from workshop.jobs.parts.text import heredocs
from workshop.jobs.parts.written import Loss
from workshop.jobs.rules.base import variables

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
    """A translated body: its lines, and what had no counterpart."""

    lines: list[str] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)


def translate_body(script: Script, to: str, request: JobRequest) -> Body:
    """The body of ``script`` for the scheduler ``to`` (``slurm``, ``pbs`` or ``lsf``)."""
    return _Translator(script, to, request).run()


def mark(text: str) -> str:
    """A line that shows what was not translated, and why."""
    return f"# NOT TRANSLATED: {text}"


class _Translator:
    def __init__(self, script: Script, to: str, request: JobRequest) -> None:
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
        written = self._written_jobs(lines)
        wholes = dict(self._whole_lines(lines))
        starts = self._starts(lines, written)
        number = self.script.body_line
        folder = self._start_folder(lines)
        while number <= len(lines):
            text, span = wholes.get(number, (lines[number - 1], 1))
            if folder and text.strip() and not re.match(r"\s*(#|set\s+[-+])", text):
                self.result.lines.append(folder)
                folder = ""
            if number in starts or not text.strip() or text.lstrip().startswith("#"):
                self.mark_at = len(self.result.lines)
            if not DIRECTIVE_LINE.match(text):
                self._line(text)
            elif number in written:
                self._keep_directive(text)
            number += span
        return self.result

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

    def _whole_lines(self, lines: list[str]) -> Iterator[tuple[int, tuple[str, int]]]:
        """Launch lines that are continued with a backslash, as one: (number, (text, lines they take))."""
        if self.old.package == self.new.package:
            return
        _, launches = read_launches(_as_text(lines, self.script.body_line, self.script.shebang))
        old = [launch for launch in launches if launch.spread and _program(launch.spread) in self.old.launchers]
        for number in sorted({launch.command.line for launch in old}):
            span = 1
            while _goes_on(lines, number + span - 1):
                span += 1
            if span > 1 and not _goes_on(lines, number - 1):
                text = " ".join(line.rstrip("\\") for line in lines[number - 1 : number - 1 + span])
                yield number, (re.sub(r"\s{2,}", " ", text), span)

    def _start_folder(self, lines: list[str]) -> str:
        """PBS starts in HOME, the others in the submit folder: the line that makes up for it, or nothing."""
        body = "\n".join(lines[self.script.body_line - 1 :])
        goes = re.search(r"^\s*(cd|pushd)\b", body, re.MULTILINE)
        if goes or not body.strip():
            return ""
        here = self.request.extra.start_in_submit_dir
        if self.new.starts_at_home and (here or not self.old.starts_at_home):
            return f'cd "${self.new.variable(Notion.SUBMIT_DIR)}"'
        if self.old.starts_at_home and not self.new.starts_at_home and not here:
            self._mark("start folder", "PBS started this job in $HOME; here it starts where it is submitted")
        return ""

    def _mark(self, what: str, reason: str, indent: str = "") -> None:
        self.result.lines.insert(self.mark_at, indent + mark(f"{what}: {reason}"))
        self.mark_at += 1
        self.result.losses.append(Loss(what, reason))

    def _line(self, text: str) -> None:
        if text.lstrip().startswith("#"):
            self.result.lines.append(text)
            return
        indent = text[: len(text) - len(text.lstrip())]
        new = self._expressions(text)
        launch = self._launch(new)
        new = launch if launch is not None else new
        new = self._variables(self._tools(new))
        for reason, what in self._left(new):
            self._mark(what, reason, indent)
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
        value = self.new.variable(notion) or ""
        return f"${value}" if not value.startswith("$") else value

    def _variables(self, text: str) -> str:
        names = self._table()
        quoted_part = re.compile(r"\$\{(\w+)\}|\$(\w+)|\b([A-Z][A-Z_]{4,})\b")

        def one(match: re.Match[str]) -> str:
            name = match[1] or match[2] or match[3]
            new = names.get(name)
            if new is None:
                return match[0]
            if match[3]:
                return new if not new.startswith("$") else match[0]
            if re.fullmatch(r"\$\d+", new):
                return new[1:]
            if new.startswith("$"):
                return new
            return f"${{{new}}}" if match[1] else f"${new}"

        return quoted_part.sub(one, text)

    def _table(self) -> dict[str, str]:
        table: dict[str, str] = {}
        for notion in NAMED:
            new = self.new.variable(notion)
            for old in self.old.variables.get(notion, ()):
                if new and not old.startswith("$"):
                    table.setdefault(old, new)
        if self.old.package != self.new.package:
            table.update({name: f"${number}" for name, number in self.old_body.numbers(self.request).items()})
        return table

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
            return found
        per_task = {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"}
        for name in sorted(variables(text)):
            if name.startswith(self.old.prefixes) and name not in self._table().values():
                reason = (
                    "each MPI sets its own rank variable (OMPI_COMM_WORLD_RANK, PMI_RANK)"
                    if name in per_task
                    else f"{self.to} sets no such variable"
                )
                found.append((reason, f"${name}"))
        for command in read_script(text).commands:
            if command.name in self.old.all_commands:
                found.append((self._counterpart(command.name), command.name))
        return found

    def _counterpart(self, command: str) -> str:
        """What the target has in the place of one of the source's commands."""
        purpose = self.old.purpose_of(command)
        other = self.new.advice(purpose) if purpose else None
        return f"in {self.to} it is {other}, with other words" if other else f"{self.to} has no command of this kind"

    # Launch lines.

    def _launch(self, text: str) -> str | None:
        """The line with its launcher in the target's words; None where there is no launcher."""
        if self.old.package == self.new.package:
            return None
        for launch in read_launches(text)[1]:
            layer = launch.spread
            if layer is None or launch.marks.substituted or _program(layer) not in self.old.launchers:
                continue
            end = _end(layer)
            if end is None:
                return None
            new, lost = self._launcher(layer, text)
            for option in lost:
                self._mark(option, f"an option of {_program(layer)} that {new.split()[0]} does not know")
            return text[: layer.program.start] + new + " " + text[end:].lstrip().removeprefix("-- ")
        return None

    def _launcher(self, layer: Layer, text: str) -> tuple[str, list[str]]:
        asked = _asked(layer, text)
        per_node, ranks = asked.get("per_node"), asked.get("ranks")
        if ranks is None and per_node and self.request.nodes and per_node.isdigit():
            ranks = str(int(per_node) * self.request.nodes)
        new = self.new_body.launch(asked, ranks, self._all_tasks(), self.request)
        others = [one for one in layer.settings if self._is_lost(layer, one, new)]
        lost = [_written(one, text) for one in others if not SILENT.match(one.spelling)]
        words = [text[word.start : word.end] for word in (*layer.unknown, *layer.extra)]
        more = [word for word in words if not SILENT.match(word)]
        return new, lost + more

    def _is_lost(self, layer: Layer, one: Setting, new: str) -> bool:
        """True for an option that the new launcher neither has nor takes from the job."""
        if one.field in ("cpus_per_task", "gpus_per_task"):
            told = (f"${one.field.upper()}", f"$SLURM_{one.field.upper()}", str(getattr(self.request, one.field, None)))
            return one.field.replace("_", "-") not in new and one.shown not in told
        return one.field not in KEPT and not (layer.name == "blaunch" and one.field == "hosts")

    def _all_tasks(self) -> int | None:
        parts = [part.tasks for part in self.script.components]
        return sum(parts) if parts and all(parts) else self.request.tasks


# Options that give numbers: field of the launcher's table -> what is asked for.
KEPT = {
    "tasks": "ranks",
    "resource_sets": "ranks",
    "tasks_per_node": "per_node",
    "cpus_per_task": "cpus",
    "cpus_per_set": "cpus",
    "gpus_per_task": "gpus",
    "gpus_per_set": "gpus",
    "tasks_per_set": "",
    "sets_per_node": "",
}
# Options without a meaning elsewhere: dropping them changes nothing that the job asks for.
SILENT = re.compile(
    r"^(--mpi|--export|-x$|--label$|-l$|--unbuffered$|-u$|--kill-on-bad-exit|-K|--hostfile|-hostfile|-machinefile|"
    r"--machinefile|-f$)"
)


def _goes_on(lines: list[str], number: int) -> bool:
    """True where the line (1-based) ends with a backslash and so goes on in the next one."""
    return 1 <= number < len(lines) and lines[number - 1].endswith("\\") and not lines[number - 1].endswith("\\\\")


def _as_text(lines: list[str], first: int, shebang: str | None) -> str:
    """The body at its lines, as one text in the words of sh."""
    text = "\n".join([f"#!{shebang or '/bin/sh'}", *[""] * (first - 2), *lines[max(first - 1, 1) :]])
    return as_sh(text) if is_csh(text) else text


def _program(layer: Layer) -> str:
    return (layer.program.text or "").rpartition("/")[2]


def _end(layer: Layer) -> int | None:
    """Place behind a launcher and its options in the line; None where one of them has no place there."""
    words = [layer.program, *(word for one in layer.settings for word in one.words), *layer.unknown, *layer.extra]
    ends = [word.end for word in words]
    return None if None in ends else max(ends)


def _asked(layer: Layer, text: str) -> dict[str, str]:
    """Numbers that a launcher's options give, as they are written."""
    given = [one for one in layer.settings if KEPT.get(one.field) and one.value is not None]
    asked = {KEPT[one.field]: _value(one, text) for one in given}
    if layer.name == "blaunch" and layer.has("hosts"):
        asked["per_node"] = "1"
    return asked


def _value(one: Setting, text: str) -> str:
    """The value of an option as it stands in the line."""
    word = one.words[-1]
    if word.start is None or word.end is None:
        return one.shown
    written = text[word.start : word.end]
    return written if len(one.words) > 1 else written.removeprefix(one.spelling).removeprefix("=")


def _written(one: Setting, text: str) -> str:
    """An option as it stands in the line."""
    if one.start is not None and one.end is not None:
        return text[one.start : one.end]
    return one.spelling + (f" {one.shown}" if one.value else "")


def launched_ranks(script: Script) -> int | None:
    """Ranks that an MPI launcher of the body starts, where it is a plain number."""
    text = _as_text(script.seen.lines, script.body_line, script.shebang)
    for launch in read_launches(text)[1]:
        layer = launch.spread
        tasks = layer.get("tasks") if layer is not None and _program(layer) in ("mpiexec", "mpirun") else None
        if tasks is not None and (tasks.text or "").isdigit():
            return int(tasks.text)
    return None


__all__ = ["Body", "launched_ranks", "mark", "translate_body"]
