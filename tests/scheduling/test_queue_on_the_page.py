"""The queue that readers of the page move (book/static/play/queue_model.js) is the one of the notebook."""

import random
from dataclasses import asdict

from amount import examples
from play_answers import answers

from workshop.queue_model import POLICIES, Job, Reservation, Schedule, may_backfill, random_jobs, simulate


def some_jobs(rng: random.Random, size: int) -> list[Job]:
    """A small queue; all may come at once, or one after the other."""
    shortest, longest = rng.choice([(1, 5), (1, 40), (10, 240)])
    latest, widest = rng.choice([0, longest, 2 * longest]), rng.choice([1, 2, size])
    return [
        Job(
            f"j{number}",
            nodes=rng.randint(1, rng.choice([min(widest, size), size])),
            walltime=rng.randint(shortest, longest),
            runtime=rng.randint(shortest, longest),
            submit=rng.randint(0, latest),
        )
        for number in range(rng.randint(0, 20))
    ]


# One node is left over when `wide` starts, and two long jobs want it in the same minute.
ONE_TO_SPARE = [
    Job("first", nodes=3, walltime=60, runtime=60),
    Job("wide", nodes=4, walltime=60, runtime=60, submit=1),
    *(Job(name, nodes=1, walltime=900, runtime=900, submit=2) for name in ("long", "longer")),
]


def queues() -> list[tuple[list[Job], int, str]]:
    """Jobs, nodes, policy."""
    rng, found = random.Random(16), [(ONE_TO_SPARE, 5, "easy")]
    for number in range(examples(600)):
        size = rng.randint(1, 8)
        found.append((some_jobs(rng, size), size, POLICIES[number % 2]))
    return found + [(random_jobs(200, 16, load=0.9, seed=seed), 16, policy) for seed in (1, 2) for policy in POLICIES]


def as_the_page_has_it(schedule: Schedule) -> dict:
    runs = [
        [run.job.name, run.start, run.end, run.expected_end, list(run.node_ids), run.backfilled]
        for run in schedule.runs
    ]
    promises = [[minute, name, promise.start, promise.spare] for minute, name, promise in schedule.promises]
    return {"runs": runs, "promises": promises}


def asked(jobs: list[Job], size: int, policy: str) -> tuple[str, list]:
    return "simulate", [[asdict(job) for job in jobs], size, policy]


def test_jobs_start_on_the_same_nodes_in_the_same_minutes(require, say):
    require("node")
    cases = queues()
    for case, answer in zip(cases, answers("queue", [asked(*case) for case in cases]), strict=True):
        keys = ("start", "end", "expected", "nodes", "backfilled")
        runs = [[run["job"]["name"], *(run[key] for key in keys)] for run in answer["runs"]]
        promises = [[one["minute"], one["name"], one["start"], one["spare"]] for one in answer["promises"]]
        assert {"runs": runs, "promises": promises} == as_the_page_has_it(simulate(*case)), case
    say(f"{len(cases)} queues, {sum(len(jobs) for jobs, *_ in cases)} jobs: the page's model gives the notebook's")


def test_the_reasons_that_the_page_gives_are_those_of_the_rule(require):
    require("node")
    cases = queues()
    seen = set()
    for (jobs, size, policy), answer in zip(cases, answers("queue", [asked(*case) for case in cases]), strict=True):
        starts = {run.job.name: run.start for run in simulate(jobs, size, policy).runs}
        for event in answer["events"]:
            for one in event["decided"]:
                job = Job(**one["job"])
                seen.add(one["what"])
                assert (starts[job.name] == event["minute"]) == (one["what"] in ("turn", "before", "beside"))
                if one["what"] in ("before", "beside", "wide", "long"):
                    promise = Reservation(one["start"], one["spare"])
                    overtakes = may_backfill(job, event["minute"], one["free"], promise)
                    assert overtakes == (one["what"] in ("before", "beside"))
                    assert (job.nodes > one["free"]) == (one["what"] == "wide")
                    assert (event["minute"] + job.walltime <= promise.start) or one["what"] != "before"
    assert seen == {"turn", "promise", "before", "beside", "wide", "long", "behind"}
