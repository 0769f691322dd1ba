"""The commands of a job script in another scheduler's words: variables, tools, launch lines, working directory."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workshop.jobs.dialect import Dialect, Notion, Purpose, dialect
from workshop.jobs.model import JobRequest, Script
from workshop.jobs.parts.shell import (
    LAUNCHERS,
    logical_lines,
    read_body,
    split_commands,
    string_lines,
    unquote,
)
from workshop.jobs.parts.text import heredocs, words
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
        if not read_body([], 1, self.script.shebang).is_shell:
            return self._other_language(lines)
        written = self._written_jobs(lines)
        wholes = dict(self._whole_lines(lines))
        starts = {number for number, _ in logical_lines(lines, self.script.body_line)}
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

    def _whole_lines(self, lines: list[str]):
        """Launch lines that are continued with a backslash, as one: (number, (text, lines they take))."""
        for number, text in logical_lines(lines, self.script.body_line):
            span = 1
            while number - 1 + span < len(lines) and lines[number - 2 + span].endswith("\\"):
                span += 1
            if span > 1 and any(
                command[0].rpartition("/")[2] in LAUNCHERS for command, _ in split_commands(text) if command
            ):
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
        for command, _ in split_commands(text):
            name = command[0].rpartition("/")[2] if command else ""
            inner = re.findall(r"\$\(\s*([a-z]+)\b", " ".join(command))
            for tool in (name, *inner):
                if tool in self.old.all_commands:
                    found.append((f"{self.to} has no command of this kind", tool))
        return found

    # Launch lines.

    def _launch(self, text: str) -> str | None:
        """The line with its launcher in the target's words; None where there is no launcher."""
        for command, _ in split_commands(text):
            rest = list(command)
            while rest and re.match(r"^\w+=|^(time|exec)$", rest[0]):
                rest.pop(0)
            name = rest[0].rpartition("/")[2] if rest else ""
            if name not in LAUNCHERS or name not in self.old.launchers:
                continue
            start = text.find(rest[0])
            cut = _program_start(rest)
            if cut is None or start < 0:
                return None
            old = _span(text, start, rest[:cut])
            if old is None:
                return None
            options = rest[1:cut]
            new, lost = self._launcher(name, options, rest[cut:])
            for option in lost:
                self._mark(option, f"an option of {name} that {new.split()[0]} does not know")
            return text[:start] + new + " " + text[old:].lstrip()
        return None

    def _launcher(self, name: str, options: list[str], program: list[str]) -> tuple[str, list[str]]:
        asked = _asked(name, options)
        lost = asked.pop("lost")
        total = self._all_tasks()
        per_node = asked.get("per_node")
        ranks = asked.get("ranks")
        if ranks is None and per_node and self.request.nodes and per_node.isdigit():
            ranks = str(int(per_node) * self.request.nodes)
        return self.new_body.launch(asked, ranks, total, self.request), lost

    def _all_tasks(self) -> int | None:
        parts = [part.tasks for part in self.script.components]
        return sum(parts) if parts and all(parts) else self.request.tasks


# Options that give numbers, by launcher family; all others that take a value, so that the program can be found.
RANKS = {"-n", "-np", "--np", "--ntasks", "--nrs"}
PER_NODE = {"--ppn", "-ppn", "--ntasks-per-node", "-N", "-npernode", "--npernode", "-perhost"}
TAKES_VALUE = frozenset(
    words("""
    -n -np --np -N --ppn -ppn -perhost -npernode --npernode -c -d --depth -a -g -hostfile --hostfile -machinefile
    --machinefile -f -x -genv -env --map-by --bind-to -map-by -bind-to --cpu-bind -host --host -H -hosts --hosts --mca
    -mca -w -p -t -o -e -J -A -r -b -l --nodes --ntasks --ntasks-per-node --cpus-per-task --nodelist -z --mpi
    --gpus-per-task --gpus --gres --export --env --envlist --env-list
    """)
)
TWO_VALUES = {"--mca", "-mca", "-genv", "-env"}
# Options without a meaning elsewhere: dropping them changes nothing that the job asks for.
SILENT = re.compile(
    r"^(--mpi|--export|-x$|--label$|-l$|--unbuffered$|-u$|--kill-on-bad-exit|-K|--hostfile|-hostfile|-machinefile|"
    r"--machinefile|-f$)"
)


def _program_start(command: list[str]) -> int | None:
    """Index of the program behind a launcher's options."""
    index = 1
    while index < len(command):
        word = unquote(command[index])
        if not word.startswith("-"):
            return index
        if PYTHON_LIKE.search(word):
            return index
        if "=" in word or word not in TAKES_VALUE or (command[0] in ("srun", "pbsdsh") and word in ("-l", "-u", "-K")):
            index += 1
        else:
            index += 3 if word in TWO_VALUES else 2
    return None


PYTHON_LIKE = re.compile(r"^(python|torchrun|bash)")


def _span(text: str, start: int, launcher: list[str]) -> int | None:
    """Index behind the launcher and its options in ``text``."""
    position = start
    for word in launcher:
        found = text.find(word, position)
        if found < 0:
            return None
        position = found + len(word)
    return position


def _asked(name: str, options: list[str]) -> dict:
    """Numbers that a launcher's options give, and those that are lost."""
    asked: dict = {"lost": []}
    index = 0
    while index < len(options):
        word = unquote(options[index])
        key, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if not equals and key in TAKES_VALUE and not (name == "srun" and key in ("-l", "-u", "-K")):
            index += 1
            value = unquote(options[index]) if index < len(options) else ""
            if key in TWO_VALUES:
                index += 1
        index += 1
        glued = re.fullmatch(r"-(n|N|c)(\d+)", word)
        if glued:
            key, value = f"-{glued[1]}", glued[2]
        if key in RANKS:
            asked["ranks"] = value
        elif key in PER_NODE and not (name in ("srun", "jsrun") and key == "-N"):
            asked["per_node"] = value
        elif key in ("-c", "--cpus-per-task") and name in ("srun", "jsrun"):
            asked["cpus"] = value
        elif key in ("-g", "--gpus-per-task") and name in ("srun", "jsrun"):
            asked["gpus"] = value
        elif key == "-z" and name == "blaunch":
            asked["per_node"] = "1"
        elif not SILENT.match(key) and not (name == "jsrun" and key in ("-a", "-r")):
            asked["lost"].append(word + (f" {value}" if not equals and value else ""))
    return asked


def launched_ranks(script: Script) -> int | None:
    """Ranks that an MPI launcher of the body starts, where it is a plain number."""
    for _, text in logical_lines(script.seen.lines, script.body_line):
        for command, _ in split_commands(text):
            name = command[0].rpartition("/")[2] if command else ""
            if name in ("mpiexec", "mpirun"):
                ranks = _asked(name, command[1 : _program_start(command) or len(command)]).get("ranks")
                if ranks and ranks.isdigit():
                    return int(ranks)
    return None


__all__ = ["Body", "launched_ranks", "mark", "translate_body"]
