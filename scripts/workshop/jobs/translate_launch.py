"""The launch lines of a job script in another scheduler's words: as many processes, on as many nodes, as before."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from workshop.jobs.dialect import Dialect
from workshop.jobs.fates import Fate, Lists
from workshop.jobs.launch import Launch, Layer, Setting, Shape, Spread
from workshop.jobs.launch.meanings import meaning
from workshop.jobs.launch.options import called, each_once, options_of, written
from workshop.jobs.launch.processes import spread
from workshop.jobs.launch.questions import is_helper
from workshop.jobs.launch.started import started
from workshop.jobs.launch.tables import Launcher
from workshop.jobs.launch.write import Wanted, launch_words
from workshop.jobs.parts.values import atoms
from workshop.jobs.rules.base import Context

MPI = ("openmpi", "hydra")
# Fields that say how many processes are started and where: the new launcher's numbers say the same.
NUMBERS = {
    "nodes", "tasks", "tasks_per_node", "one_per_node", "map_by", "cpus_per_task", "resource_sets", "tasks_per_set",
    "cpus_per_set", "sets_per_node", "oversubscribe",
}  # fmt: skip
# Variables that a script exports so that its ranks find each other.
MEETING = ("MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE")
# Options that another launcher needs none of: field -> why. Nothing is left to a person.
NEEDS_NONE = {
    "label": "only marks the lines of the log with the rank",
    "kill_on_bad_exit": "mpirun and mpiexec end all ranks when one fails",
    "mpi": "an mpirun or mpiexec belongs to one MPI and needs no name for it",
    "hostfile": "the launcher knows the nodes of its job",
    "cpu_bind": "the launcher binds each task to the cores that it is given",
    "export": "how variables reach the tasks is said anew",
    "unbuffered": "only the buffering of the log",
}
SPELLED = {"--unbuffered": "unbuffered", "-u": "unbuffered", "-rmk": "mpi", "-launcher": "mpi", "-bootstrap": "mpi"}


@dataclass(frozen=True)
class Edit:
    """Text that takes the place of ``length`` characters from a 1-based line and a 0-based column on."""

    line: int
    column: int
    length: int
    new: str


@dataclass
class Launches:
    """What is to be done with the launch lines.

    Attributes:
        edits: changes of the text, none inside another. marks: (line of the source, text of a remark above it).
        lists: what became of the launchers' options.
    """

    edits: list[Edit] = field(default_factory=list)
    marks: list[tuple[int, str]] = field(default_factory=list)
    lists: Lists = field(default_factory=Lists)


def translate_launches(context: Context, header: Context) -> Launches:
    """The launches of a script for another scheduler.

    Args:
        header: that was written for it.
    """
    found = Launches()
    for launch in each_once(context.launches):
        _One(context, header, launch, launch.spread, found).translate()
    return found


@dataclass
class _One:
    """One launch."""

    context: Context
    header: Context
    launch: Launch
    layer: Layer
    found: Launches

    @property
    def new(self) -> Dialect:
        return self.header.dialect

    @property
    def shape(self) -> Shape:
        return self.header.shape

    @property
    def text(self) -> str:
        return self.context.reading.text

    def translate(self) -> None:
        if self._stays():
            self.found.lists.carried += [self._fate(one) for one in self._options()]
            return
        end = _end(self.layer)
        start = self.layer.program.start
        if start is None or end is None or self._is_helper_inside() or not self._as_in_the_file(start, end):
            self._by_hand()
            return
        self._rewrite(start, end)

    def _as_in_the_file(self, start: int, end: int) -> bool:
        """False where the text is read in other words than the file's own: csh, a job that another shell writes."""
        first, last = self.text.count("\n", 0, start), self.text.count("\n", 0, end)
        return self.text.split("\n")[first : last + 1] == self.context.script.seen.lines[first : last + 1]

    def _stays(self) -> bool:
        """True for a launcher that both schedulers' jobs use, where it starts the same in both."""
        old = self.context.dialect
        if old.package == self.new.package:
            return True
        name = called(self.layer)
        if name in old.launchers and name not in self.new.launchers:
            return False
        if self.layer.name not in MPI:
            return True
        if self.new.package == "slurm" and self.layer.name in MPI:
            return False
        if self.shape.nodes != 1 and not self.layer.has("hostfile", "hosts"):
            return False
        before, after = spread(self.launch, self.context.shape), spread(self.launch, self.shape)
        same = (before.nodes, before.tasks, before.per_node) == (after.nodes, after.tasks, after.per_node)
        return same and (before.tasks is None or not self.layer.has("hostfile"))

    def _is_helper_inside(self) -> bool:
        """``head=$(srun --nodes=1 hostname)``: what it is for is said otherwise elsewhere."""
        return bool(self.launch.marks.substituted) and is_helper(self.launch)

    def _options(self) -> list[tuple[str, str]]:
        """(field, as written) of all that stands between the launcher and its program."""
        return [(one.field, one.written) for one in options_of(self.launch, self.text)]

    def _fate(self, option: tuple[str, str], why: str = "", nearest: str = "", *, asks: bool = False) -> Fate:
        return Fate(self.launch.command.line, "launch", f"{called(self.layer)} {option[1]}", why, nearest, asks=asks)

    def _by_hand(self) -> None:
        """A launcher whose words stand in no certain place, or for which there is no other one."""
        other = self.new.part("body").STARTER[0]
        why = f"where {called(self.layer)} is called from here is not certain: write {other} by hand"
        if self._is_helper_inside():
            why = f"this asks a node for something: write it with {self.new.title}'s own means"
        for option in self._options():
            self.found.lists.left_out.append(self._fate(option, why, other))

    def _rewrite(self, start: int, end: int) -> None:
        program, table = self.new.part("body").STARTER
        wanted = self._wanted()
        words, proven = self._words(program, table, wanted)
        words += self._cores(table, wanted) + self._gpus(table)
        words += self._host_file(table) + self._exported(table) + self._kept(table)
        line = self.text.count("\n", 0, start)
        column = start - self.text.rfind("\n", 0, start) - 1
        self.found.edits.append(Edit(line + 1, column, end - start, " ".join(words)))
        self._account(table, words, proven)
        if not proven:
            self._unproven(words)

    def _words(self, program: str, table: Launcher, wanted: Wanted) -> tuple[list[str], bool]:
        """The launcher with its numbers; in a heterogeneous job all components at once."""
        parts = [part.tasks or 0 for part in self.header.script.components]
        if not parts:
            return launch_words(program, table, wanted, self.shape)
        groups = table.spell("het_group", ",".join(str(number) for number in range(len(parts))))
        return [program, *groups], wanted.spread.tasks == sum(parts)

    def _wanted(self) -> Wanted:
        before = spread(self.launch, self.context.shape)
        (numbers,) = started([self.launch], self.context.shape) or (None,)
        cores = numbers.cores if numbers else before.cpus_per_task
        if before.tasks is None and before.per_node and before.nodes:
            before = replace(before, tasks=before.per_node * before.nodes)
        if self.context.heterogeneous and self.layer.has("het_group"):
            before = Spread(tasks=sum(part.tasks or 0 for part in self.context.script.components))
        before = self._filled(before)
        given = {}
        for name, field_name in (("tasks", "tasks"), ("tasks", "resource_sets"), ("tasks_per_node", "tasks_per_node")):
            setting = self.layer.get(field_name)
            if setting is not None and setting.value is not None:
                given[name] = _value(setting, self.text)
        return Wanted(replace(before, cpus_per_task=cores), given, self.launch.agent is not None)

    def _filled(self, before: Spread) -> Spread:
        """Places for tasks that were told of none: those of the new header, where they divide."""
        nodes, there = self.shape.nodes, self.context.shape.nodes
        if before.nodes is not None or not before.tasks or not nodes or there not in (None, nodes):
            return before
        each, rest = divmod(before.tasks, nodes)
        told = there is None or before.tasks == self.shape.tasks
        if rest or not told or before.per_node not in (None, each):
            return before
        return replace(before, nodes=nodes, per_node=each)

    def _cores(self, table: Launcher, wanted: Wanted) -> list[str]:
        """What gives each task its cores."""
        cores = wanted.spread.cpus_per_task
        given = self.layer.get("cpus_per_task", "cpus_per_set")
        if table.name != "srun":
            return table.spell("cpu_bind", "none") if wanted.agent or (cores or 2) > 1 else []
        if cores is None and given is not None and given.value is not None:
            return table.spell("cpus_per_task", _value(given, self.text))
        if cores is None or (cores == 1 and self.shape.cpus_per_task in (1, None)):
            return []
        same = cores == self.shape.cpus_per_task
        return table.spell("cpus_per_task", '"$SLURM_CPUS_PER_TASK"' if same else str(cores))

    def _gpus(self, table: Launcher) -> list[str]:
        gpus = self.layer.get("gpus_per_task", "gpus_per_set")
        if gpus is None or gpus.value is None or table.option("gpus_per_task") is None:
            return []
        return table.spell("gpus_per_task", _value(gpus, self.text))

    def _host_file(self, table: Launcher) -> list[str]:
        """An MPI that was not built for the scheduler knows only this node, unless it is told of the others."""
        file = getattr(self.new.part("body"), "FILE", None)
        return table.spell("hostfile", f'"${file}"') if file and table.name in MPI and self.shape.nodes != 1 else []

    def _exported(self, table: Launcher) -> list[str]:
        """Variables by which ranks meet: an Open MPI that knows only its host file hands none to the other nodes."""
        if table.name != "openmpi" or self.shape.nodes == 1 or self.layer.name in MPI:
            return []
        given = [name for name in MEETING if self.launch.environment.value(name) is not None]
        return [word for name in given for word in table.spell("export", name)]

    def _kept(self, table: Launcher) -> list[str]:
        """Options of the old launcher that the new one has as they are: both are an mpirun."""
        if self.layer.name not in MPI or table.name not in MPI:
            return []
        kept = [one for one in self.layer.settings if self._keeps(one)]
        return [written(one, self.text) for one in kept]

    def _keeps(self, one: Setting) -> bool:
        return one.field not in NUMBERS and one.field not in ("hostfile", "cpu_bind", "hosts")

    def _account(self, table: Launcher, words: list[str], proven: bool) -> None:
        lists, command = self.found.lists, " ".join(words)
        both_mpi = self.layer.name in MPI and table.name in MPI
        for one, option in zip([*self.layer.settings, *self._others()], self._options(), strict=True):
            name = SPELLED.get(one.spelling, one.field) if isinstance(one, Setting) else ""
            if isinstance(one, Setting) and both_mpi and self._keeps(one):
                lists.carried.append(self._fate(option))
            elif name in NUMBERS or name.startswith("gpus_per_"):
                self._number(option, name, command, proven)
            elif name in NEEDS_NONE:
                lists.changed.append(self._fate(option, NEEDS_NONE[name]))
            elif name == "hosts" and self._all_hosts(one):
                lists.changed.append(self._fate(option, f"all nodes of the job are what {words[0]} starts on"))
            else:
                self._lost(option, words[0])

    def _others(self) -> list[object]:
        return [*self.layer.unknown, *self.layer.extra]

    def _all_hosts(self, one: Setting) -> bool:
        return "hosts" in {meaning(atom) for atom in atoms(one.value or ())}

    def _number(self, option: tuple[str, str], name: str, command: str, proven: bool) -> None:
        if name.startswith("gpus_per_") and "gpus-per-task" not in command:
            self._lost(option, command.split()[0])
            return
        if proven or f"--{name.replace('_', '-')}" in command:
            self.found.lists.changed.append(self._fate(option, f"now {command}"))
        else:
            self.found.lists.changed.append(self._fate(option, f"now {command}, which is not proven", asks=True))

    def _lost(self, option: tuple[str, str], program: str) -> None:
        why = f"an option of {called(self.layer)} that {program} has not in this form"
        self.found.lists.left_out.append(self._fate(option, why, f"see {program} --help", asks=True))
        self.found.marks.append(
            (self.launch.command.line, f"NOT TRANSLATED: '{called(self.layer)} {option[1]}': {why}")
        )

    def _unproven(self, words: list[str]) -> None:
        """The numbers of a launch are known only when the job runs."""
        line = self.launch.command.line
        old = " ".join([called(self.layer), *(text for _, text in self._options())])
        what = f"'{old}' became '{' '.join(words)}'"
        self.found.marks.append((line, f"CHECK: {what}: see that as many processes start on each node as before"))


def _end(layer: Layer) -> int | None:
    """Place behind a launcher and its options; None where one of them has no place of its own."""
    words = [layer.program, *(word for one in layer.settings for word in one.words), *layer.unknown, *layer.extra]
    ends = [word.end for word in words]
    return None if None in ends else max(ends)


def _value(one: Setting, text: str) -> str:
    """The value of an option as it stands in the script, perhaps with its quotes."""
    word = one.words[-1]
    if word.start is None or word.end is None:
        return one.shown
    given = text[word.start : word.end]
    return given if len(one.words) > 1 else given.removeprefix(one.spelling).removeprefix("=")
