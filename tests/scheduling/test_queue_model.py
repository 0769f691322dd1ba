"""The queue model against schedules worked out by hand, and against what must hold for every schedule."""

import math
import random
import statistics

import matplotlib
import pytest
from amount import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from workshop.paths import REPO
from workshop.queue_model import (
    Job,
    Reservation,
    decayed_usage,
    draw_gantt,
    level_fair_share,
    may_backfill,
    probe_waits,
    random_jobs,
    reserve,
    round_up,
    simulate,
)

matplotlib.use("agg")


def starts(schedule):
    """Name -> start minute."""
    return {run.job.name: run.start for run in schedule.runs}


# --- By hand ---

# Four nodes. A holds three until 60, B wants all four, C and D want the free one.
#
#            0    30   60        120
#   node1-3  AAAAAAAAAAABBBBBBBBBB
#   node4    CCCCC      BBBBBBBBBB      C (30 min) fits in front of B; D (90 min) does not
A = Job("A", nodes=3, walltime=60, runtime=60)
B = Job("B", nodes=4, walltime=60, runtime=60, submit=1)
C = Job("C", nodes=1, walltime=30, runtime=30, submit=2)
D = Job("D", nodes=1, walltime=90, runtime=20, submit=3)


def test_fifo_by_hand():
    schedule = simulate([A, B, C, D], 4, "fifo")
    assert starts(schedule) == {"A": 0, "B": 60, "C": 120, "D": 120}
    assert not any(run.backfilled for run in schedule.runs)
    assert schedule.makespan == 150
    assert schedule.mean_wait == (0 + 59 + 118 + 117) / 4
    assert schedule.utilization == (3 * 60 + 4 * 60 + 30 + 20) / (4 * 150)


def test_easy_by_hand():
    schedule = simulate([A, B, C, D], 4, "easy")
    assert starts(schedule) == {"A": 0, "B": 60, "C": 2, "D": 120}
    assert schedule["C"].backfilled
    assert not schedule["D"].backfilled, "D needs 20 min but asked for 90, and the scheduler believes 90"
    assert schedule["C"].node_ids == (3,)
    assert schedule["B"].start == 60, "B is not delayed"


def test_an_honest_walltime_is_backfilled():
    honest = Job("D", nodes=1, walltime=25, runtime=20, submit=3)
    # C ends at 32; D fits from then on, 32 + 25 = 57 <= 60.
    assert starts(simulate([A, B, C, honest], 4, "easy")) == {"A": 0, "B": 60, "C": 2, "D": 32}


def test_the_walltime_may_end_exactly_at_the_promise_but_not_a_minute_later():
    on_time = Job("on_time", nodes=1, walltime=58, runtime=58, submit=2)
    late = Job("late", nodes=1, walltime=59, runtime=1, submit=2)
    assert starts(simulate([A, B, on_time], 4))["on_time"] == 2
    assert starts(simulate([A, B, late], 4))["late"] == 120


def test_a_narrow_long_job_starts_beside_the_promise():
    # Five nodes: A holds 3 of them until 60; B wants 4; one node stays over when B starts.
    long = Job("long", nodes=1, walltime=1000, runtime=1000, submit=2)
    second = Job("second", nodes=1, walltime=1000, runtime=1000, submit=3)
    schedule = simulate([A, B, long, second], 5)
    assert starts(schedule) == {"A": 0, "B": 60, "long": 2, "second": 120}, "only one node is spare"


def test_the_model_does_not_peek_at_running_times():
    # Five nodes, one spare when B starts. Both jobs really end at 12, but each asked for 1000 minutes.
    twins = [Job(name, nodes=1, walltime=1000, runtime=10, submit=2) for name in ("one", "two")]
    assert starts(simulate([A, B, *twins], 5)) == {"A": 0, "B": 60, "one": 2, "two": 12}


def test_the_head_starts_earlier_when_a_job_ends_early():
    early = Job("A", nodes=3, walltime=60, runtime=10)
    schedule = simulate([early, B, D], 4)
    assert schedule.promises[0] == (1, "B", Reservation(start=60, spare=0))
    assert schedule["B"].start == 10
    assert schedule["D"].start == 70


def test_walltime_ends_a_job():
    run = simulate([Job("slow", nodes=1, walltime=30, runtime=45)], 1)["slow"]
    assert (run.end, run.timed_out) == (30, True)


def test_jobs_of_the_same_minute_keep_the_given_order():
    jobs = [Job(name, nodes=1, walltime=5, runtime=5) for name in "CAB"]
    assert starts(simulate(jobs, 1, "fifo")) == {"C": 0, "A": 5, "B": 10}


def test_time_passes_while_the_queue_is_empty():
    jobs = [Job("first", 1, 5, 5), Job("second", 1, 5, 5, submit=100)]
    assert starts(simulate(jobs, 1)) == {"first": 0, "second": 100}
    assert simulate([], 3).runs == []


@pytest.mark.parametrize(
    ("nodes", "free", "running", "expected"),
    [
        (2, 2, [(50, 1)], Reservation(0, 0)),  # fits now
        (3, 1, [(50, 1), (20, 2)], Reservation(20, 0)),  # the first end is enough
        (4, 1, [(50, 1), (20, 2)], Reservation(50, 0)),  # both are needed
        (3, 1, [(20, 2), (20, 4)], Reservation(20, 4)),  # two ends in one minute both count as spare
        (5, 0, [(10, 2), (30, 2), (40, 8)], Reservation(40, 7)),
    ],
)
def test_reserve(nodes, free, running, expected):
    assert reserve(nodes, 0, free, running) == expected


def test_reserve_says_when_a_job_never_fits():
    with pytest.raises(ValueError, match="9 nodes never fits: the cluster has 3"):
        reserve(9, 0, 1, [(5, 2)])


@pytest.mark.parametrize(
    ("nodes", "walltime", "expected"),
    [
        (1, 10, True),  # ends before the promise
        (2, 20, True),  # ends at the promise
        (2, 21, False),  # a minute late, and wider than the spare node
        (1, 999, True),  # long, but the promised job does not need this node
        (3, 1, False),  # wider than what is free now
    ],
)
def test_may_backfill(nodes, walltime, expected):
    job = Job("j", nodes, walltime, runtime=1)
    assert may_backfill(job, now=10, free=2, promise=Reservation(start=30, spare=1)) is expected


def test_another_rule_can_break_promises():
    schedule = simulate([A, B, D], 4, rule=lambda job, now, free, promise: job.nodes <= free)
    assert schedule["D"].start == 3
    assert schedule["B"].start == 60, "D really ends at 23"
    slow = Job("slow", nodes=1, walltime=90, runtime=90, submit=3)
    schedule = simulate([A, B, slow], 4, rule=lambda job, now, free, promise: job.nodes <= free)
    assert schedule.promises[0] == (1, "B", Reservation(60, 0))
    assert schedule["B"].start == 93
    with pytest.raises(ValueError, match="starts job 'wide' on 2 nodes while 1 are free"):
        simulate([A, B, Job("wide", 2, 1, 1, submit=2)], 4, rule=lambda *_: True)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="Unknown policy 'sjf': choose one of fifo, easy"):
        simulate([A], 4, "sjf")
    with pytest.raises(ValueError, match="'B' asks for 4 nodes and the cluster has 3"):
        simulate([B], 3)
    with pytest.raises(ValueError, match="same name"):
        simulate([A, A], 4)
    with pytest.raises(ValueError, match="Job 'zero': nodes, walltime and runtime must be at least 1"):
        Job("zero", nodes=0, walltime=1, runtime=1)
    with pytest.raises(KeyError, match="No job called 'X'"):
        simulate([A], 4)["X"]


# --- For every schedule ---

CLUSTER = 6
JOBS = st.lists(
    st.tuples(st.integers(1, CLUSTER), st.integers(1, 40), st.integers(1, 40), st.integers(0, 60)),
    max_size=25,
).map(lambda rows: [Job(f"j{number}", *row) for number, row in enumerate(rows)])
POLICY = st.sampled_from(["fifo", "easy"])
many = settings(max_examples=examples(400), deadline=None)


@many
@given(JOBS, POLICY)
def test_all_jobs_end_once_after_submission_and_within_walltime(jobs, policy):
    schedule = simulate(jobs, CLUSTER, policy)
    assert sorted(run.job.name for run in schedule.runs) == sorted(job.name for job in jobs)
    for run in schedule.runs:
        assert run.start >= run.job.submit
        assert run.end - run.start == min(run.job.runtime, run.job.walltime)


@many
@given(JOBS, POLICY)
def test_no_node_is_held_twice(jobs, policy):
    held = {}
    for run in simulate(jobs, CLUSTER, policy).runs:
        assert len(set(run.node_ids)) == run.job.nodes
        for node in run.node_ids:
            assert 0 <= node < CLUSTER
            for minute in range(run.start, run.end):
                assert held.setdefault((node, minute), run.job.name) == run.job.name


@many
@given(JOBS)
def test_fifo_never_overtakes(jobs):
    schedule = simulate(jobs, CLUSTER, "fifo")
    order = sorted(jobs, key=lambda job: job.submit)
    begun = [schedule[job.name].start for job in order]
    assert begun == sorted(begun)


@many
@given(JOBS)
def test_easy_never_breaks_a_promise_to_the_head(jobs):
    schedule = simulate(jobs, CLUSTER, "easy")
    for minute, name, promise in schedule.promises:
        assert minute < promise.start
        assert schedule[name].start <= promise.start


@many
@given(JOBS)
def test_easy_overtakes_only_by_backfill(jobs):
    schedule = simulate(jobs, CLUSTER, "easy")
    order = {job.name: place for place, job in enumerate(sorted(jobs, key=lambda job: job.submit))}
    for run in schedule.runs:
        waiting = [
            other for other in schedule.runs if order[other.job.name] < order[run.job.name] and other.start > run.start
        ]
        assert run.backfilled == bool(waiting)


@many
@given(JOBS)
def test_the_first_head_waits_no_longer_with_backfill_than_without(jobs):
    """Until the first head starts, both policies have started the same jobs before it."""
    fifo, easy = simulate(jobs, CLUSTER, "fifo"), simulate(jobs, CLUSTER, "easy")
    if fifo.promises:
        _, head, _ = fifo.promises[0]
        assert easy[head].start <= fifo.promises[0][2].start


@many
@given(JOBS, POLICY)
def test_the_head_waits_only_when_it_does_not_fit(jobs, policy):
    schedule = simulate(jobs, CLUSTER, policy)
    for minute, name, _ in schedule.promises:
        free = CLUSTER - sum(run.job.nodes for run in schedule.runs if run.start <= minute < run.end)
        assert schedule[name].job.nodes > free


def test_backfill_fills_the_cluster_better():
    jobs = random_jobs(400, 16, seed=1)
    fifo, easy = simulate(jobs, 16, "fifo"), simulate(jobs, 16, "easy")
    assert easy.mean_wait < fifo.mean_wait / 2
    assert easy.utilization > fifo.utilization


# --- Workload ---


def test_random_jobs_are_reproducible_and_plausible():
    jobs = random_jobs(3000, 16, load=0.8, seed=7)
    assert jobs == random_jobs(3000, 16, load=0.8, seed=7)
    assert jobs != random_jobs(3000, 16, load=0.8, seed=8)
    assert {job.nodes for job in jobs} == {1, 2, 4, 8, 16}
    assert all(5 <= job.runtime <= 720 and job.walltime >= job.runtime for job in jobs)
    assert [job.submit for job in jobs] == sorted(job.submit for job in jobs)
    work = sum(job.nodes * job.runtime for job in jobs)
    assert work / (16 * jobs[-1].submit) == pytest.approx(0.8, rel=0.1)


def test_round_up():
    assert [round_up(minutes) for minutes in (1, 30, 31, 1440, 9999)] == [30, 30, 60, 1440, 1440]


def test_probe_waits_by_hand():
    probe = Job("probe", nodes=1, walltime=20, runtime=5)
    # At 10 the fourth node is free until 60; at 45 it would end at 65, so it waits for the end of B.
    assert probe_waits([A, B], 4, probe, [10, 45, 125]) == [0, 75, 0]


def test_the_page_tells_the_waits_that_come_out():
    """The chapter's sentence on honest and excessive requests, recomputed."""
    jobs = random_jobs(600, 16, load=0.85, seed=1)
    rng = random.Random(2)
    moments = [rng.randrange(jobs[-1].submit) for _ in range(60)]
    honest, excessive = (
        statistics.median(probe_waits(jobs, 16, Job("probe", 2, walltime, runtime=50), moments))
        for walltime in (60, 1440)
    )
    page = (REPO / "book" / "scheduling.md").read_text()
    assert f"half of them started within {honest:.0f} minutes" in page
    assert f"half of them waited more than {excessive // 60:.0f} hours" in page


# --- Fair share ---


def test_usage_halves_every_half_life():
    short = [(-1e-6, 0.0, 1e6)]  # one node hour, and too short to decay while it runs
    for halvings in range(4):
        usage = decayed_usage(short, at=7.0 * halvings, half_life=7.0)
        assert usage == pytest.approx(0.5**halvings, rel=1e-4)


def test_usage_of_a_steady_run_by_hand():
    # 2 nodes forever at half-life 1: the integral of 2 * 2**-t from 0 to infinity is 2 / ln 2.
    assert decayed_usage([(-1000, 0, 2)], at=0, half_life=1) == pytest.approx(2 / math.log(2))
    # A run that goes on counts only up to now, and a run that has not begun counts nothing.
    assert decayed_usage([(-1, 5, 1)], 0, 1) == decayed_usage([(-1, 0, 1)], 0, 1)
    assert decayed_usage([(3, 5, 1)], 0, 1) == 0


def test_level_fair_share_by_hand():
    # Shares 3:1 promise 75 % and 25 %; both used 50 %.
    assert level_fair_share({"a": 3, "b": 1}, {"a": 10, "b": 10}) == {"a": 1.5, "b": 0.5}
    assert level_fair_share({"a": 1, "b": 1}, {"a": 10}) == {"a": 0.5, "b": math.inf}
    assert level_fair_share({"a": 1, "b": 1}, {}) == {"a": math.inf, "b": math.inf}


# --- Picture ---


def test_the_gantt_chart_shows_each_job_with_its_nodes_and_times():
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots()
    draw_gantt(simulate([A, B, C, D], 4), ax)
    assert sorted(text.get_text() for text in ax.texts) == ["A", "B", "C*", "D"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["node1", "node2", "node3", "node4"]
    bars = [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in ax.patches if bar.get_fill()]
    assert sorted(bars) == [(0, 60, 3), (2, 30, 1), (60, 60, 4), (120, 20, 1)]
    plt.close(figure)
