"""From sbatch's options to a JobRequest: defaults and the arithmetic of nodes, tasks, CPUs and GPUs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workshop.jobs.model import Array, JobRequest, Memory, Signal
from workshop.jobs.parts import indices
from workshop.jobs.parts.problem import BadValue
from workshop.jobs.parts.text import words
from workshop.jobs.parts.units import clock, meant_memory, meant_time, slurm_memory, slurm_time

SIGNALS = words("""HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 URG CONT STOP TSTP TTIN TTOU""")
SIGNAL_NUMBERS = {
    1: "HUP",
    2: "INT",
    3: "QUIT",
    6: "ABRT",
    9: "KILL",
    10: "USR1",
    12: "USR2",
    14: "ALRM",
    15: "TERM",
    18: "CONT",
    19: "STOP",
    20: "TSTP",
    21: "TTIN",
    22: "TTOU",
    23: "URG",
}


def parse_array(text: str) -> Array:
    """``1-10:3,20%4``; indices in brackets are taken too, and empty places between commas.

    Raises:
        BadValue: not a list of indices.
    """
    inner = text.strip("[]") if text.startswith("[") else text
    body, percent, limit = inner.partition("%")
    listed = ",".join(filter(None, body.strip("[]").split(",")))
    if not listed:
        raise BadValue("bad_array", f"'{text}' has no index.", "--array=1-10")
    found = indices.spans(listed)
    if found is None:
        raise BadValue("bad_array", f"'{text}' is not a list of array indices.", "--array=1-10, 1,3,5 or 0-9:2%4")
    if indices.too_many(found):
        raise BadValue("bad_array", f"'{text}' has more indices than any Slurm takes.", "--array=0-999")
    at_once = int(limit) if percent and limit.isdigit() else 0  # sbatch takes "%x" for no limit
    return indices.array(found, body, at_once or None)


def parse_signal(text: str) -> Signal:
    """``[R|B]:[SIG]NAME[@seconds]``.

    Raises:
        BadValue: unknown signal or time.
    """
    match = re.fullmatch(r"(?:([RB]+):)?(?:SIG)?(\w+)(?:@(\d+))?", text, re.ASCII)
    name = match[2].upper() if match else ""
    name = SIGNAL_NUMBERS.get(int(name), "") if name.isdigit() else name
    if not match or name not in SIGNALS:
        raise BadValue("bad_signal", f"sbatch does not know the signal '{text}'.", "--signal=USR2@120")
    target = "batch_shell" if match[1] and "B" in match[1] else "steps"
    return Signal(name, int(match[3]) if match[3] else 60, target)


def parse_nodes(text: str) -> tuple[int, int | None]:
    """(least, most) of ``-N 2``, ``2-4``, ``1k``; most is None where it equals the least.

    Raises:
        BadValue: not a node count.
    """
    match = re.fullmatch(r"(\d+)([km]?)(?:-(\d+)([km]?))?", text, re.ASCII | re.IGNORECASE)
    if not match:
        raise BadValue("bad_node_count", f'"{text}" is not a valid node count.', "--nodes=2")
    scale = {"": 1, "k": 1024, "m": 1024**2}
    least = int(match[1]) * scale[match[2].lower()]
    most = int(match[3]) * scale[match[4].lower()] if match[3] else least
    if most < least:
        raise BadValue("bad_node_count", f"The most nodes ({most}) are fewer than the least ({least}).", "--nodes=2-4")
    return least, most if most != least else None


@dataclass
class Gpus:
    """GPU counts of one option: how many and of which types."""

    count: int
    types: list[str]


def parse_gpus(text: str) -> Gpus:
    """``4``, ``a100:4`` or ``a100:2,v100:2``.

    Raises:
        BadValue: not of that form.
    """
    total, types = 0, []
    for part in text.split(","):
        match = re.fullmatch(r"(?:([A-Za-z][\w.\-]*)(?::(\d+))?|(\d+))", part)
        if not match:
            raise BadValue("bad_gpu_spec", f"'{text}' is not a GPU count.", "--gpus-per-node=4 or a100:4")
        total += int(match[3] or match[2] or 1)
        types += [match[1]] if match[1] else []
    return Gpus(total, types)


def parse_gres(text: str) -> tuple[Gpus | None, dict[str, str]]:
    """(GPUs, other resources) of ``--gres=gpu:a100:4,tmpdisk:10``.

    Raises:
        BadValue: an entry that sbatch refuses.
    """
    gpus, others = None, {}
    for entry in text.split(","):
        name, _, rest = entry.removeprefix("gres:").partition(":")
        if entry in ("", "none", "help"):
            continue
        # A site may call its own what it likes (min-vram); gpu-a100 is a slip of the pen for gpu:a100.
        if not re.fullmatch(r"(?!gpu-)[A-Za-z][\w-]*", name) or "=" in entry:
            raise BadValue("bad_gres", f"'{entry}' is not a generic resource.", "--gres=gpu:2 or --gres=gpu:a100:2")
        if name != "gpu":
            others[name] = rest or "1"
            continue
        type_, colon, count = rest.rpartition(":")
        if not colon:
            type_, count = ("", rest) if re.match(r"\d+($|\()", rest) else (rest, "1")
        count = re.sub(r"\(.*", "", count)
        if not count.isdigit():
            raise BadValue("bad_gres", f"'{entry}' has no whole number of GPUs.", "--gres=gpu:2 or --gres=gpu:a100:2")
        found = gpus or Gpus(0, [])
        gpus = Gpus(found.count + int(count), found.types + ([type_] if type_ else []))
    return gpus, others


@dataclass
class Tres:
    """What ``--tres-per-task`` says: CPUs and GPUs of a task, and whether it asks for shares of a GPU."""

    cpus: int | None = None
    gpus: Gpus | None = None
    shares: bool = False


TRES_FORMS = "cpu=4, gres/gpu=1, gres/gpu:a100=1 or license/NAME=1"


def parse_tres(text: str) -> tuple[Tres, list[BadValue]]:
    """``cpu=4,gres/gpu:a100:1,license/matlab=2`` (man sbatch, --tres-per-task), and the entries of another form."""
    found, bad = Tres(), []
    for entry in text.split(","):
        try:
            name, amount = _tres_entry(entry)
        except BadValue as problem:
            bad.append(problem)
            continue
        if name == "cpu":
            found.cpus = amount
        elif re.match(r"gres/gpu(?::|$)", name):
            type_ = name.removeprefix("gres/gpu").lstrip(":")
            before = found.gpus or Gpus(0, [])
            found.gpus = Gpus(before.count + amount, before.types + ([type_] if type_ else []))
        elif name in ("gres/shard", "gres/mps"):
            found.shares = True
    return found, bad


def _tres_entry(entry: str) -> tuple[str, int]:
    """(``gres/gpu:a100``, 2) of an entry, however it is written."""
    plain = re.sub(r"^gres:", "gres/", entry)
    match = re.fullmatch(r"(cpu)=(\d+)|(license/[\w.@-]+)=(\d+)", plain, re.ASCII)
    if match:
        return match[1] or match[3], int(match[2] or match[4])
    gres = re.fullmatch(r"(gres/[A-Za-z]\w*(?::[A-Za-z][\w.-]*)?)[=:](\d+)", plain, re.ASCII)
    if gres:
        return gres[1], int(gres[2])
    raise BadValue("bad_tres_per_task", _why_no_tres(entry), _tres_meant(entry), _tres_certain(entry), entry)


def _why_no_tres(entry: str) -> str:
    memory = " Memory cannot be asked for in it." if entry.startswith("mem") else ""
    return (
        f"'{entry}' is no entry of --tres-per-task, which has {TRES_FORMS}: sbatch refuses it, or (before 24.11) "
        f"does not read it.{memory}"
    )


def _tres_meant(entry: str) -> str:
    """The entry in the form that is read."""
    if certain := _tres_certain(entry):
        return f"--tres-per-task={certain}"
    if entry.startswith("mem"):
        return "--mem-per-cpu or --mem, and the entry out of the list"
    cpus = re.fullmatch(r"cpus?[:=](\d+)", entry, re.ASCII)
    return f"cpu={cpus[1]}" if cpus else TRES_FORMS


def _tres_certain(entry: str) -> str | None:
    """The entry in the form that is read, with the script's own sign in front of the number."""
    match = re.fullmatch(r"gpus?((?:[:/][A-Za-z][\w.-]*)?[:=]\d+)", entry, re.ASCII)
    return f"gres/gpu{match[1].replace('/', ':')}" if match else None


def whole(text: str, option: str, least: int = 1) -> int:
    """A whole number that is at least ``least``.

    Raises:
        BadValue: anything else.
    """
    if not re.fullmatch(r"\d+", text, re.ASCII) or int(text) < least:
        raise BadValue("bad_number", f'Invalid numeric value "{text}" for --{option}.', f"--{option}={max(least, 1)}")
    return int(text)


def count_hosts(text: str) -> int | None:
    """Number of hosts of ``c1,c2`` or ``c[1-4,7]``; None where the list cannot be counted. A name counts once."""
    total = 0
    for part in dict.fromkeys(re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text)):
        inside = re.search(r"\[([^\]]*)\]", part)
        if not inside:
            total += 1
            continue
        for piece in inside[1].split(","):
            match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
            if not match:
                return None
            total += int(match[2] or match[1]) - int(match[1]) + 1
    return total


SETS_NODES = {"nodes", "nodelist", "ntasks", "ntasks-per-node"}
SETS_TASKS = {"nodes", "nodelist", "ntasks", "ntasks-per-node", "ntasks-per-gpu", "gpus", "gpus-per-task"}
SETS_GPUS = {"gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "gres", "tres-per-task"}
# Parts of a GPU are neither a GPU nor none.
SHARES = ("shard", "mps")


class RequestBuilder:
    """Fills a JobRequest from options and notes what sbatch would refuse.

    Attributes:
        unclaimed: options whose values only the file that submits knows.
        complete: False where the job's text is not known, so that what is missing may stand there.
        problems: (option name, BadValue) in the order in which they were met.
    """

    def __init__(
        self,
        options: dict[str, str | None],
        unclaimed: set[str] | frozenset[str] = frozenset(),
        complete: bool = True,
    ) -> None:
        self.unclaimed, self.complete = unclaimed, complete
        self.options = {name: value for name, value in options.items() if name not in unclaimed}
        self.problems: list[tuple[str, BadValue]] = []

    def take(self, option: str, parse, default=None):
        """The parsed value of ``option``; ``default`` where it is absent or refused."""
        text = self.options.get(option)
        if text is None:
            return default
        try:
            return parse(text)
        except BadValue as problem:
            self.problems.append((option, problem))
            return default

    def number(self, option: str, least: int = 1) -> int | None:
        return self.take(option, lambda text: whole(text, option, least))

    def build(self) -> JobRequest:
        """The request; ``self.problems`` has what was refused."""
        request = JobRequest()
        self._names(request)
        self._sizes(request)
        self._memory(request)
        self._rest(request)
        return request

    def _names(self, request: JobRequest) -> None:
        get = self.options.get
        request.job_name, request.account, request.partition = get("job-name"), get("account"), get("partition")
        request.qos, request.constraint = get("qos"), get("constraint")
        request.output, request.error, request.dependency = get("output"), get("error"), get("dependency")
        request.mail_user, request.export = get("mail-user"), get("export")
        request.mail_type = self.take("mail-type", _mail_type)

    def _sizes(self, request: JobRequest) -> None:
        least, most = self.take("nodes", parse_nodes, (None, None))
        written = self.options.get("tres-per-task")
        tres, bad = parse_tres(written) if written else (Tres(), [])
        self.problems += [("tres-per-task", problem) for problem in bad]
        request.tasks_per_node = self.number("ntasks-per-node")
        tasks = self.number("ntasks")
        gpus = GpuOptions(self, tres)
        asked = least or self._hosts_named()
        nodes = asked or self._nodes_implied(tasks, request.tasks_per_node, gpus)
        if asked and tasks and tasks < asked:
            nodes = tasks  # "can't run 1 processes on 2 nodes, setting nnodes to 1"
        nodes = None if not least and (self.unclaimed & SETS_NODES or not self.complete) else nodes
        tasks = self._tasks(nodes, tasks, request.tasks_per_node, gpus)
        request.nodes, request.tasks = nodes, tasks
        request.extra.nodes_max = most or None
        request.gpus_total, request.gpus_per_node = gpus.resolve(nodes, tasks, request.tasks_per_node)
        request.gpu_type = ",".join(dict.fromkeys(gpus.types)) or None
        request.extra.take(**gpus.extra())
        self._cpus(request, tres, gpus)

    def _tasks(self, nodes: int | None, tasks: int | None, per_node: int | None, gpus: GpuOptions) -> int | None:
        per_gpu = self.number("ntasks-per-gpu")
        total = gpus.total(nodes, tasks or (nodes * per_node if nodes and per_node else None))
        if per_gpu and total:
            return per_gpu * total
        if self.unclaimed & SETS_TASKS or not self.complete:
            return tasks
        return tasks if tasks is not None else self._tasks_implied(nodes, per_node, gpus)

    def _cpus(self, request: JobRequest, tres: Tres, gpus: GpuOptions) -> None:
        tasks = request.tasks
        request.extra.tasks_per_gpu = self.number("ntasks-per-gpu")
        request.cpus_per_task = self.number("cpus-per-task") or tres.cpus or 1
        if "cpus-per-task" in self.unclaimed or not (self.complete or "cpus-per-task" in self.options):
            request.cpus_per_task = None
        each = request.cpus_per_task
        request.cpus_total = tasks * each if tasks and each else None
        per_gpu = self.number("cpus-per-gpu")
        if per_gpu:
            if gpus.per_task and "cpus-per-task" not in self.options:
                request.cpus_per_task = per_gpu * gpus.per_task.count
                request.cpus_total = tasks * request.cpus_per_task if tasks else None
            request.extra.cpus_per_gpu = per_gpu
            request.cpus_total = max(request.cpus_total or 0, per_gpu * (request.gpus_total or 0)) or None

    def _hosts_named(self) -> int | None:
        named = self.options.get("nodelist")
        return count_hosts(named) if named and "/" not in named else None

    @staticmethod
    def _nodes_implied(tasks: int | None, per_node: int | None, gpus: GpuOptions) -> int | None:
        """Without --nodes Slurm takes as many nodes as the rest needs; one where nothing asks for more."""
        if tasks and per_node:
            return -(-tasks // per_node)
        if gpus.per_node and gpus.per_node.count:
            if gpus.per_job:
                return -(-gpus.per_job.count // gpus.per_node.count)
            if gpus.per_task and tasks:
                return -(-tasks * gpus.per_task.count // gpus.per_node.count)
        if (tasks or 1) > 1 or (gpus.per_job and gpus.per_job.count > 1):
            return None
        return 1

    @staticmethod
    def _tasks_implied(nodes: int | None, per_node: int | None, gpus: GpuOptions) -> int | None:
        if gpus.per_task and gpus.per_job and gpus.per_task.count:
            return gpus.per_job.count // gpus.per_task.count
        if nodes is None:
            return 1 if per_node is None else None
        return nodes * (per_node or 1)

    def _memory(self, request: JobRequest) -> None:
        for option, scope in (("mem", "per_node"), ("mem-per-cpu", "per_cpu"), ("mem-per-gpu", "per_gpu")):
            value = self.take(option, _memory)
            if value is not None:
                request.mem = Memory(value, scope)
                request.extra.take(**{f"mem_{scope}": value})

    def _rest(self, request: JobRequest) -> None:
        options = self.options
        request.time_s = self.take("time", _time)
        minimum = self.take("time-min", _time)
        request.array = self.take("array", parse_array)
        request.signal = self.take("signal", parse_signal)
        request.open_mode = self.take("open-mode", _open_mode)
        if "exclusive" in options:
            request.exclusive = True
            request.extra.exclusive_mode = options["exclusive"]
        if "requeue" in options:
            request.requeue = options["requeue"] != "no"
        request.extra.time_min_s, request.extra.overcommit = minimum, "overcommit" in options
        for option in COPIED:
            if option in options:
                value = options[option] if options[option] is not None else True
                request.extra.take(**{option.replace("-", "_"): value})


class GpuOptions:
    """All the ways of asking for GPUs, and what they add up to."""

    def __init__(self, builder: RequestBuilder, tres: Tres) -> None:
        self.per_node: Gpus | None = builder.take("gpus-per-node", parse_gpus)
        self.per_job: Gpus | None = builder.take("gpus", parse_gpus)
        self.per_task: Gpus | None = builder.take("gpus-per-task", parse_gpus) or tres.gpus
        self.per_socket: Gpus | None = builder.take("gpus-per-socket", parse_gpus)
        gres, self.others = builder.take("gres", parse_gres, (None, {}))
        self.unclear = gres is not None and self.per_node is not None
        given = [self.per_job, self.per_node, self.per_task, self.per_socket, gres]
        shares = tres.shares or any(name in SHARES for name in self.others)
        hidden = bool(builder.unclaimed & SETS_GPUS) or ((shares or not builder.complete) and not any(given))
        self.unclear = self.unclear or hidden
        self.per_node = self.per_node or gres
        given = (self.per_node, self.per_job, self.per_task, self.per_socket)
        self.types = [type_ for gpus in given if gpus for type_ in gpus.types]

    def total(self, nodes: int | None, tasks: int | None) -> int | None:
        if self.unclear:
            return None
        if self.per_job:
            return self.per_job.count
        if self.per_node:
            return self.per_node.count * nodes if nodes else None
        if self.per_task:
            return self.per_task.count * tasks if tasks else None
        return None if self.per_socket else 0

    def resolve(
        self, nodes: int | None, tasks: int | None, per_node_tasks: int | None
    ) -> tuple[int | None, int | None]:
        """(total, per node); None where the site or the version decides."""
        total = self.total(nodes, tasks)
        if self.unclear:
            return None, None
        if self.per_node:
            return total, self.per_node.count
        if total == 0 or nodes == 1:
            return total, total
        if self.per_task and per_node_tasks:
            return total, self.per_task.count * per_node_tasks
        return total, None

    def extra(self) -> dict[str, object]:
        found: dict[str, object] = {}
        if self.per_task:
            found["gpus_per_task"] = self.per_task.count
        if self.per_socket:
            found["gpus_per_socket"] = self.per_socket.count
        if self.others:
            found["gres"] = self.others
        return found


# Options whose value is kept as written, under their name with underscores.
COPIED = words("""
    begin chdir clusters comment contiguous core-spec cores-per-socket deadline distribution exclude
    export-file extra-node-info get-user-env gpu-bind gpu-freq gres-flags hint hold input kill-on-invalid-dep
    licenses mem-bind mincpus network nice no-kill nodefile nodelist ntasks-per-core ntasks-per-socket
    oversubscribe prefer priority profile propagate reservation sockets-per-node spread-job switches
    thread-spec threads-per-core tmp use-min-nodes wait wait-all-nodes wckey acctg-freq batch bb bbf
    cluster-constraint container cpu-freq delay-boot mcs-label power reboot tres-per-task tres-bind segment
    extra
    """)


def _time(text: str) -> int:
    seconds = slurm_time(text)
    if seconds is None:
        raise BadValue(
            "bad_time",
            f"sbatch refuses the time '{text}': Invalid --time specification.",
            "--time=HH:MM:SS, D-HH:MM:SS or whole minutes",
            clock(meant) if (meant := meant_time(text)) else None,
        )
    return seconds


def _memory(text: str) -> int:
    value = slurm_memory(text)
    if value is None:
        raise BadValue(
            "bad_mem_unit",
            f"sbatch refuses the memory '{text}': Invalid --mem specification.",
            "a whole number with K, M, G or T, without a blank",
            meant_memory(text),
        )
    return value


# parse_mail_type() in Slurm's proc_args.c. It skips a word that it does not know, and refuses where none is left.
MAIL_TYPES = {
    "NONE", "ARRAY_TASKS", "BEGIN", "END", "FAIL", "INVALID_DEPEND", "REQUEUE", "ALL", "STAGE_OUT",
    "TIME_LIMIT", "TIME_LIMIT_90", "TIME_LIMIT_80", "TIME_LIMIT_50",
}  # fmt: skip


def _mail_type(text: str) -> str:
    """The events as written.

    Raises:
        BadValue: sbatch knows none of them.
    """
    if not MAIL_TYPES.intersection(text.upper().split(",")):
        raise BadValue(
            "bad_value",
            f"Invalid --mail-type specification: '{text}' names no event that sbatch knows.",
            "--mail-type=BEGIN,END,FAIL (also REQUEUE, TIME_LIMIT, TIME_LIMIT_90, ALL, NONE …)",
        )
    return text


def _open_mode(text: str) -> str:
    modes = {"a": "append", "append": "append", "t": "truncate", "truncate": "truncate"}
    if text not in modes:
        raise BadValue("bad_open_mode", f"'{text}' is no way to open a log.", "--open-mode=append or truncate")
    return modes[text]
