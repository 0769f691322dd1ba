"""A small model of a cluster's queue: first in, first out, and EASY backfill.

The model knows whole nodes, jobs with a requested walltime and a real running time, and one queue in order of
submission. It leaves out what the chapter *How a scheduler thinks* explains in words: priorities that change,
several partitions, cores and GPUs within a node, limits, nodes that fail.

EASY backfill is D. Lifka, "The ANL/IBM SP scheduling system", Job Scheduling Strategies for Parallel
Processing, 1995: only the job at the head of the queue holds a reservation, and a later job may start early
when it cannot delay that reservation. Times are whole minutes.
"""

import heapq
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

POLICIES = ("fifo", "easy")


@dataclass(frozen=True)
class Job:
    """One job as it is submitted.

    Attributes:
        name: label for pictures and tables, unique in a simulation.
        nodes: number of whole nodes, at least 1.
        walltime: requested walltime in minutes, at least 1; the job is ended when it is used up.
        runtime: minutes that the job's program needs, at least 1; the scheduler cannot see it.
        submit: minute of submission.
    """

    name: str
    nodes: int
    walltime: int
    runtime: int
    submit: int = 0

    def __post_init__(self) -> None:
        if self.nodes < 1 or self.walltime < 1 or self.runtime < 1 or self.submit < 0:
            raise ValueError(
                f"Job {self.name!r}: nodes, walltime and runtime must be at least 1, submit at least 0; got "
                f"nodes={self.nodes}, walltime={self.walltime}, runtime={self.runtime}, submit={self.submit}."
            )

    @property
    def duration(self) -> int:
        """Minutes that the job really runs: until it is done or its walltime is used up."""
        return min(self.runtime, self.walltime)


@dataclass(frozen=True)
class Run:
    """What happened to one job: ``node_ids`` held from minute ``start`` to minute ``end`` (not included)."""

    job: Job
    start: int
    end: int
    node_ids: tuple[int, ...]
    backfilled: bool  # it started while a job submitted earlier was still waiting

    @property
    def wait(self) -> int:
        """Minutes between submission and start."""
        return self.start - self.job.submit

    @property
    def expected_end(self) -> int:
        """The latest end, and the only one that the scheduler can count on: start plus requested walltime."""
        return self.start + self.job.walltime

    @property
    def timed_out(self) -> bool:
        """True when the walltime ended the job before its program was done."""
        return self.job.runtime > self.job.walltime


@dataclass(frozen=True)
class Reservation:
    """The promise to the job at the head of the queue.

    Attributes:
        start: the minute by which enough nodes are free, whatever the running jobs do.
        spare: nodes that are free at ``start`` beyond those that the head job needs.
    """

    start: int
    spare: int


@dataclass
class Schedule:
    """Result of a simulation.

    Attributes:
        n_nodes: size of the cluster.
        runs: one Run a job, in order of start.
        promises: for each minute at which a head job had to wait: (minute, job name, Reservation).
    """

    n_nodes: int
    runs: list[Run] = field(default_factory=list)
    promises: list[tuple[int, str, Reservation]] = field(default_factory=list)

    def __getitem__(self, name: str) -> Run:
        """The Run of the job called ``name``; KeyError when there is none."""
        for run in self.runs:
            if run.job.name == name:
                return run
        raise KeyError(f"No job called {name!r} in this schedule.")

    @property
    def makespan(self) -> int:
        """The minute at which the last job ends."""
        return max((run.end for run in self.runs), default=0)

    @property
    def mean_wait(self) -> float:
        """Mean wait of all jobs in minutes."""
        return sum(run.wait for run in self.runs) / len(self.runs) if self.runs else 0.0

    @property
    def utilization(self) -> float:
        """Share of the cluster's node minutes, up to the makespan, in which a job ran (0 to 1)."""
        used = sum(run.job.nodes * (run.end - run.start) for run in self.runs)
        return used / (self.n_nodes * self.makespan) if self.runs else 0.0


def reserve(nodes: int, now: int, free: int, running: Iterable[tuple[int, int]]) -> Reservation:
    """When can a job of ``nodes`` nodes start at the latest?

    Args:
        nodes: nodes that the waiting job needs.
        now: the present minute.
        free: nodes free now.
        running: (expected end in minutes, nodes) of each running job.

    Raises:
        ValueError: not even the whole cluster is large enough.
    """
    ends = sorted(running)
    start, available = now, free
    for end, freed in ends:
        if available >= nodes and end > start:
            break
        start, available = max(start, end), available + freed
    if available < nodes:
        raise ValueError(f"A job of {nodes} nodes never fits: the cluster has {available}.")
    return Reservation(start, available - nodes)


def may_backfill(job: Job, now: int, free: int, promise: Reservation) -> bool:
    """True when ``job`` can start now without delaying the job that holds ``promise``.

    It needs ``free`` nodes now. Then either its walltime ends by the promised start, or it is so narrow that
    the promised job does not need its nodes.
    """
    if job.nodes > free:
        return False
    return now + job.walltime <= promise.start or job.nodes <= promise.spare


Rule = Callable[[Job, int, int, Reservation], bool]


def simulate(jobs: Iterable[Job], n_nodes: int, policy: str = "easy", rule: Rule = may_backfill) -> Schedule:
    """Run ``jobs`` through a cluster of ``n_nodes`` nodes.

    Args:
        jobs: in any order; jobs submitted in the same minute queue in the order given.
        n_nodes: nodes of the cluster.
        policy: "fifo" (nobody overtakes) or "easy" (EASY backfill).
        rule: which jobs may be backfilled; another rule than ``may_backfill`` may break promises.

    Raises:
        ValueError: unknown policy, two jobs with one name, a job wider than the cluster, or a rule that
            starts a job on more nodes than are free.
    """
    if policy not in POLICIES:
        raise ValueError(f"Unknown policy {policy!r}: choose one of {', '.join(POLICIES)}.")
    coming = sorted(jobs, key=lambda job: job.submit)
    if len({job.name for job in coming}) != len(coming):
        raise ValueError("Two jobs have the same name: give each job its own.")
    for job in coming:
        if job.nodes > n_nodes:
            raise ValueError(
                f"Job {job.name!r} asks for {job.nodes} nodes and the cluster has {n_nodes}: it never starts."
            )
    return _Simulation(coming, n_nodes, rule if policy == "easy" else None).run()


class _Simulation:
    """The state of one simulation; time jumps from event to event (a submission or an end)."""

    def __init__(self, coming: list[Job], n_nodes: int, rule: Rule | None) -> None:
        self.coming = coming[::-1]  # next job last
        self.queue: list[Job] = []
        self.running: list[tuple[int, int, Run]] = []  # heap of (end, number, run)
        self.free = list(range(n_nodes))  # heap of node numbers
        self.rule = rule  # None: no backfill
        self.schedule = Schedule(n_nodes)

    def run(self) -> Schedule:
        while self.coming or self.running:
            now = self._next_event()
            self._end_jobs(now)
            while self.coming and self.coming[-1].submit <= now:
                self.queue.append(self.coming.pop())
            self._start_jobs(now)
        return self.schedule

    def _next_event(self) -> int:
        ends = [self.running[0][0]] if self.running else []
        submits = [self.coming[-1].submit] if self.coming else []
        return min(ends + submits)

    def _end_jobs(self, now: int) -> None:
        while self.running and self.running[0][0] <= now:
            for node in heapq.heappop(self.running)[2].node_ids:
                heapq.heappush(self.free, node)

    def _start_jobs(self, now: int) -> None:
        while self.queue and self.queue[0].nodes <= len(self.free):
            self._start(self.queue.pop(0), now, backfilled=False)
        if not self.queue:
            return
        head = self.queue[0]
        expected = [(run.expected_end, run.job.nodes) for _, _, run in self.running]
        promise = reserve(head.nodes, now, len(self.free), expected)
        self.schedule.promises.append((now, head.name, promise))
        if self.rule:
            self._backfill(now, promise, self.rule)

    def _backfill(self, now: int, promise: Reservation, rule: Rule) -> None:
        for job in self.queue[1:]:
            if not rule(job, now, len(self.free), promise):
                continue
            if job.nodes > len(self.free):
                raise ValueError(
                    f"The rule starts job {job.name!r} on {job.nodes} nodes while {len(self.free)} are free."
                )
            self.queue.remove(job)
            self._start(job, now, backfilled=True)
            if now + job.walltime > promise.start:  # it still holds its nodes at the promised start
                promise = Reservation(promise.start, promise.spare - job.nodes)

    def _start(self, job: Job, now: int, *, backfilled: bool) -> None:
        nodes = tuple(heapq.heappop(self.free) for _ in range(job.nodes))
        run = Run(job, now, now + job.duration, nodes, backfilled)
        heapq.heappush(self.running, (run.end, len(self.schedule.runs), run))
        self.schedule.runs.append(run)


# --- Workloads ---

USUAL_WALLTIMES = (30, 60, 120, 240, 480, 720, 1440)  # minutes: people ask for round numbers


def round_up(minutes: int, choices: Sequence[int] = USUAL_WALLTIMES) -> int:
    """The smallest of ``choices`` (ascending) not below ``minutes``; the largest when all are below."""
    return next((choice for choice in choices if choice >= minutes), choices[-1])


def random_jobs(count: int, n_nodes: int, *, load: float = 0.9, seed: int = 0) -> list[Job]:
    """An invented but plausible workload.

    Widths are powers of two up to the whole cluster, narrow ones more often. Running times are spread evenly
    on a logarithmic scale from 5 minutes to 12 hours. Each user asks for 1 to 3 times the time needed,
    rounded up to a usual walltime. Submissions come at random (exponential gaps) such that the work fills
    ``load`` of the cluster.

    Args:
        count: number of jobs.
        n_nodes: nodes of the cluster.
        load: requested share of the cluster's node minutes, above 0; above 1 the queue grows forever.
        seed: the same seed gives the same jobs.
    """
    rng = random.Random(seed)
    widths = [2**power for power in range(int(math.log2(n_nodes)) + 1)]
    weights = [1 / width**0.5 for width in widths]
    sizes = []
    for _ in range(count):
        runtime = round(math.exp(rng.uniform(math.log(5), math.log(720))))
        sizes.append((rng.choices(widths, weights)[0], runtime, round_up(round(runtime * rng.uniform(1, 3)))))
    work = sum(nodes * runtime for nodes, runtime, _ in sizes) / max(count, 1)
    gap = work / (load * n_nodes)
    jobs, now = [], 0.0
    for number, (nodes, runtime, walltime) in enumerate(sizes):
        now += rng.expovariate(1 / gap)
        jobs.append(Job(f"job{number}", nodes, walltime, runtime, round(now)))
    return jobs


def probe_waits(jobs: Sequence[Job], n_nodes: int, probe: Job, moments: Iterable[int]) -> list[int]:
    """How long would ``probe`` wait if it came into this queue at each of ``moments``?

    Args:
        jobs: everybody else's jobs, the same each time.
        n_nodes: nodes of the cluster.
        probe: the job in question; its own ``submit`` is not used.
        moments: minutes of submission, one simulation each.

    Returns:
        Its waits in minutes under EASY backfill, in the order of ``moments``.
    """
    return [simulate([*jobs, replace(probe, submit=at)], n_nodes)[probe.name].wait for at in moments]


# --- Fair share ---


def decayed_usage(charges: Iterable[tuple[float, float, float]], at: float, half_life: float) -> float:
    """Usage that still counts at time ``at`` when its weight halves every ``half_life``.

    Args:
        charges: (start, end, nodes) of each run; what lies after ``at`` has not happened yet.
        at: the present moment, in the unit of ``charges``.
        half_life: time after which a node hour counts half (Slurm: PriorityDecayHalfLife).

    Returns:
        Node time, e.g. node hours when times are hours: the integral over the runs, in which each moment t
        weighs 2 ** (-(at - t) / half_life).
    """
    rate = math.log(2) / half_life
    total = 0.0
    for start, end, nodes in charges:
        start, end = min(start, at), min(end, at)
        total += nodes * (math.exp(-rate * (at - end)) - math.exp(-rate * (at - start))) / rate
    return total


def level_fair_share(shares: Mapping[str, float], usage: Mapping[str, float]) -> dict[str, float]:
    """Slurm's level fair share of siblings: share of the promise divided by share of the usage.

    Above 1: used less than promised, goes first. Below 1: used more. Infinite: used nothing.
    Source: https://slurm.schedmd.com/fair_tree.html, "Level Fairshare Calculation".
    """
    promised, used = sum(shares.values()), sum(usage.values())
    result = {}
    for name, share in shares.items():
        part = usage.get(name, 0.0) / used if used else 0.0
        result[name] = (share / promised) / part if part else math.inf
    return result


# --- Pictures ---


def draw_gantt(schedule: Schedule, ax, *, hours: bool = False) -> None:
    """Draw nodes (rows) against time on a matplotlib Axes.

    A filled bar is the time that a job ran; the dashed rest is time that it asked for and did not use. An
    asterisk follows the name of a backfilled job.
    """
    unit = 60 if hours else 1
    names = sorted(run.job.name for run in schedule.runs)
    colors = {name: f"C{number % 10}" for number, name in enumerate(names)}
    for run in schedule.runs:
        # One color a job, the same in every picture of these jobs, whatever the order in which they start.
        color = colors[run.job.name]
        start, end, expected = run.start / unit, run.end / unit, run.expected_end / unit
        for first, height in _blocks(run.node_ids):
            place = {"y": first - 0.5, "height": height, "align": "edge"}
            ax.barh(width=expected - end, left=end, fill=False, edgecolor=color, linestyle="--", **place)
            ax.barh(width=end - start, left=start, color=color, edgecolor="white", **place)
            label = run.job.name + ("*" if run.backfilled else "")
            middle = (start + end) / 2, first - 0.5 + height / 2
            ax.text(*middle, label, ha="center", va="center", color="white", fontweight="bold")
    ax.set_yticks(range(schedule.n_nodes), [f"node{n + 1}" for n in range(schedule.n_nodes)])
    ax.set_ylim(schedule.n_nodes - 0.5, -0.5)
    ax.set_xlabel("time (h)" if hours else "time (min)")


def _blocks(node_ids: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of neighboring node numbers as (first, count): a job's nodes need not lie side by side."""
    blocks: list[tuple[int, int]] = []
    for node in sorted(node_ids):
        if blocks and sum(blocks[-1]) == node:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + 1)
        else:
            blocks.append((node, 1))
    return blocks
