"""A launch: what a job script starts, through which launchers, with which options."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.jobs.launch.tables import Launcher
from workshop.jobs.parts.reading import Command, Environment, Marks
from workshop.jobs.parts.values import Atom, Value, Word, constant, shown


@dataclass(frozen=True)
class Shape:
    """The numbers of a request that launches depend on; None = unknown.

    Attributes:
        nodes: number of nodes (hosts, PBS chunks on nodes of their own).
        tasks, tasks_per_node: what a launcher starts without being told (Slurm's tasks, PBS's lines of the node file,
            LSF's slots). cpus_per_task: CPUs of each. gpus_per_node: 0 = none asked for.
    """

    nodes: int | None = None
    tasks: int | None = None
    tasks_per_node: int | None = None
    cpus_per_task: int | None = None
    gpus_per_node: int | None = None


@dataclass(frozen=True)
class Setting:
    """An option of a launcher as it is given.

    Attributes:
        field: what it means (:mod:`.tables`). spelling: as written. value: None for a flag.
        words: the words it takes up. line: 1-based. start, end: its place in the file, to be replaced; None where it
            has none of its own. value_start, value_end: of the value alone, perhaps with its quotes.
    """

    field: str
    spelling: str
    value: Value | None
    words: tuple[Word, ...]
    value_start: int | None = None
    value_end: int | None = None

    @property
    def text(self) -> str | None:
        """The value where it is known, else None."""
        return None if self.value is None else constant(self.value)

    @property
    def shown(self) -> str:
        return "" if self.value is None else shown(self.value)

    @property
    def line(self) -> int:
        return self.words[0].line

    @property
    def start(self) -> int | None:
        return self.words[0].start

    @property
    def end(self) -> int | None:
        return self.words[-1].end


@dataclass(frozen=True)
class Layer:
    """One launcher with its options.

    Attributes:
        launcher: its table. program: the word that calls it.
        settings: its options. by: who starts it, ``batch`` or ``task``.
        open: True where an unknown word stands among the options: what is missing may be in there.
        unknown: words that look like options and are in no table. extra: image of a container, host of ssh.
        sure: False where two tables fit (``mpiexec``).
    """

    launcher: Launcher
    program: Word
    settings: tuple[Setting, ...]
    by: str
    open: bool = False
    unknown: tuple[Word, ...] = ()
    extra: tuple[Word, ...] = ()
    sure: bool = True

    @property
    def name(self) -> str:
        return self.launcher.name

    @property
    def kind(self) -> str:
        return self.launcher.kind

    def get(self, *fields: str) -> Setting | None:
        """The option that sets one of these fields; of several the last."""
        return next((setting for setting in reversed(self.settings) if setting.field in fields), None)

    def has(self, *fields: str) -> bool:
        return self.get(*fields) is not None

    def all(self, field: str) -> list[Setting]:
        return [setting for setting in self.settings if setting.field == field]


@dataclass(frozen=True)
class Launch:
    """One program that is started, with all the launchers in front of it.

    Attributes:
        layers: launchers, outermost first: srun, a container, torchrun; () for a script of the user's that is started
            as such.
        program: the words of what is started in the end; () where it is not known.
        command: the line of the job script. line: 1-based, of the innermost command that has a place in the file.
        marks: circumstances, those of the outer and the inner command together.
        environment: variables that the program sees, as far as the script sets them.
        words: all words that were read on the way, those of inner shells included.
    """

    layers: tuple[Layer, ...]
    program: tuple[Word, ...]
    command: Command
    line: int
    marks: Marks
    environment: Environment
    words: tuple[Word, ...]

    def first(self, kind: str) -> Layer | None:
        return next((layer for layer in self.layers if layer.kind == kind), None)

    @property
    def spread(self) -> Layer | None:
        """The launcher that starts processes on the job's nodes: srun, mpiexec, ssh."""
        return self.first("spread")

    @property
    def agent(self) -> Layer | None:
        """torchrun, accelerate, deepspeed and the like: starts the processes of a node."""
        return self.first("agent")

    @property
    def container(self) -> Layer | None:
        return self.first("container")

    @property
    def is_python(self) -> bool:
        """True where a Python program is started, by python itself or by an agent."""
        agent = self.agent
        if agent is not None:
            return not agent.has("no_python") or self.first("python") is not None
        return self.first("python") is not None or self.name.endswith(".py")

    @property
    def is_training(self) -> bool:
        """True for an agent or a python program that is no helper (``python -m pip``, ``-c``, ``--version``)."""
        if self.agent is not None:
            return True
        python = self.first("python")
        if python is None:
            return self.name.endswith(".py")
        return not python.has("command") and bool(self.program) and self.name not in HELPERS

    @property
    def name(self) -> str:
        """The program without its folder; the module of ``python -m``; empty where it is not known."""
        text = self.program[0].text if self.program else None
        return text.rpartition("/")[2] if text else ""

    @property
    def opaque(self) -> bool:
        """True where what is started in the end is not known: a script outside of this file, or a variable."""
        if not self.program:
            return True
        shell = bool(self.layers) and self.layers[-1].kind == "shell"
        return shell or self.program[0].text is None or self.name.endswith((".sh", ".bash"))

    @property
    def on_nodes(self) -> bool:
        """True where something starts it on nodes; False for a program of the batch shell, on the first node only."""
        return self.spread is not None

    @property
    def open(self) -> bool:
        """True where any of its launchers may have options that are not known."""
        return any(layer.open for layer in self.layers)

    @property
    def background(self) -> bool:
        return self.marks.background

    def atoms(self) -> list[Atom]:
        """All pieces of all its words."""
        return [atom for word in self.words for atom in word.atoms]


# Modules and programs in Python that train nothing.
HELPERS = {"pip", "venv", "virtualenv", "ensurepip", "build", "http.server", "zipfile", "ipykernel", "site",
           "json.tool", "compileall", "timeit",
           "torch.utils.collect_env", "tensorboard", "jupyter", "notebook", "jupyterlab",
           "tensorboard.main"}  # fmt: skip


@dataclass(frozen=True)
class Spread:
    """How many processes the outer launcher starts. None = not known.

    Attributes:
        nodes: nodes on which they run. tasks: in all. per_node: on each node.
        cpus_per_task: cores of each. bound: to named nodes. loop: a loop starts one after the other (ssh).
    """

    nodes: int | None = None
    tasks: int | None = None
    per_node: int | None = None
    cpus_per_task: int | None = None
    bound: bool = False
    loop: bool = False


@dataclass(frozen=True)
class Meeting:
    """What the processes of a training need to find each other. None = not given; a value may be unknown.

    Attributes:
        host, port: where they meet. source: where that stands: ``endpoint``, ``master_addr``, ``environment``,
            ``argument`` (of the program) or "" (nowhere).
        nnodes: number of nodes as given. node_rank: number of this node. nproc: processes a node.
        backend, identity: of the rendezvous. standalone: one node, whatever else is said.
    """

    host: Value | None = None
    port: Value | None = None
    source: str = ""
    nnodes: Value | None = None
    node_rank: Value | None = None
    nproc: Value | None = None
    backend: str | None = None
    identity: Value | None = None
    standalone: bool = False
