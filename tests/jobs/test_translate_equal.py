"""A translated script starts what it started before, and each option of it is in one of the three lists.

All job scripts of the project and of the corpora, in all directions: by the launches and the request of both sides.
What really comes to run: tests/scripts/test_translated_jobs.py.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from case_reading import cases
from jobfiles import ENDINGS

from workshop.jobs.launch.questions import is_helper
from workshop.jobs.launch.started import Started, cores_of_node, differences, started
from workshop.jobs.model import Script
from workshop.jobs.pieces import pieces
from workshop.jobs.profile import Profile
from workshop.jobs.read import read_script, read_text
from workshop.jobs.rules.base import Context
from workshop.jobs.translate import CannotTranslate, Translation, translate
from workshop.paths import SCRIPTS

HERE = Path(__file__).parent
TARGETS = ("slurm", "pbs", "lsf")
OWN = [path for scheduler, ending in ENDINGS.items() for path in sorted((SCRIPTS / scheduler).glob(f"*{ending}"))]
# Folder -> its scripts, each with its scheduler where the case names one.
CORPORA = {"scripts": [(path, None) for path in OWN]} | {
    folder: [(one["path"], one.get("scheduler")) for one in cases(HERE / folder) if one.get("scheduler") != "other"]
    for folder in ("cases", "cases_own", "cases_launch", "cases_public")
}
ALL = [pair for pairs in CORPORA.values() for pair in pairs]
# Folder -> how many pairs with a known number of processes are compared at least.
LEAST = {"scripts": 80, "cases": 45, "cases_own": 220, "cases_launch": 700, "cases_public": 45}
# Scripts that cannot start the same, each with the reason; the new script says so in a line "# CHECK".
KNOWN = {
    "51-nersc-two-parts.sbatch": "its srun asks for more cores than the header, which a site with whole nodes grants",
    **{
        f"srun_asks_more_tasks_than_allocated_fires_{case}.sbatch": "its srun is refused: more than the job has"
        for case in (1, 3)
    },
    **{
        f"srun_asks_more_tasks_than_allocated_{case}.sbatch": "on how many nodes mpirun starts a loop's counts is open"
        for case in ("fires_2", "quiet_4", "quiet_5", "quiet_6")
    },
    "srun_asks_more_tasks_than_allocated_advice_2.sbatch": "the step asks for more cores than the job has",
    "placeholder_left_in_directive_quiet_1.lsf": "a compound request, whose parts the model does not tell apart",
}


@cache
def translated(path: Path, scheduler: str | None) -> tuple[Script, dict[str, Translation]]:
    """A script, and its translations into each other scheduler that can say it."""
    script = read_script(path, scheduler)
    found = {}
    for to in set(TARGETS) - {{"torque": "pbs"}.get(script.scheduler, script.scheduler)}:
        try:
            found[to] = translate(script, to)
        except CannotTranslate:
            continue
    return script, found


def starts(script: Script) -> list[Started]:
    context = Context(script, Profile())
    return started(context.launches, context.shape)


@pytest.mark.slow
@pytest.mark.parametrize("folder", CORPORA)
def test_all_start_what_they_started_before(folder, say):
    pairs = known = 0
    wrong = {}
    for path, scheduler in CORPORA[folder]:
        script, found = translated(path, scheduler)
        before = starts(script)
        for to, result in found.items():
            new = read_text(result.text, to)
            if script.components or new.components:
                continue
            if path.name not in KNOWN and (said := otherwise(script, new, result)):
                wrong[f"{path.name} -> {to}: header"] = said
            if not before:
                continue
            pairs, known = pairs + 1, known + any(one.processes for one in before)
            told = differences(before, starts(new))
            if told and path.name not in KNOWN:
                wrong[f"{path.name} -> {to}"] = told
            if told:
                assert "# CHECK: what is started" in result.text
            elif not same(arguments(script), arguments(new)):
                wrong[f"{path.name} -> {to}: arguments"] = [arguments(script), arguments(new)]
    say(f"translate {folder}: {pairs} pairs of scripts compared by what they start, {known} with known processes")
    assert not wrong
    assert known >= LEAST[folder]


def granted(script: Script) -> dict:
    """What the header grants to the job; ``place``: whether all its nodes are hosts of their own."""
    context, request = Context(script, Profile()), script.request
    named = ("gpus_per_node", "gpus_total", "gpu_type", "time_s", "exclusive")
    found = {name: getattr(request, name) for name in named}
    found |= {name: getattr(context.shape, name) for name in ("nodes", "tasks", "tasks_per_node")}
    separate = (request.nodes or 1) > 1 and context.on_separate_nodes
    found["cores of a node"] = cores_of_node(context.shape)
    return {**found, "array": request.array and request.array.count, "place": separate}


def otherwise(script: Script, new: Script, result: Translation) -> list[str]:
    """What the two headers grant differently, where the translation says nothing of it."""
    spoken = {name for one in (*result.losses, *result.changes) for name in one.fields}
    # Of whole nodes only the srun lines say how many cores there are. Elsewhere a node's cores stay as they are.
    spoken |= {"cores of a node"} if script.scheduler == "slurm" and "cpus_total" in spoken else set()
    before, after = granted(script), granted(new)
    return [f"{name} {was} -> {after[name]}" for name, was in before.items()
            if was and was != after[name] and name not in spoken]  # fmt: skip


def arguments(script: Script) -> list[list[str | None]]:
    """The words of each program that is started; None where a variable is in one."""
    launches = [launch for launch in Context(script, Profile()).launches if not is_helper(launch)]
    return [[word.text for word in launch.program] for launch in launches]


def same(before: list[list[str | None]], after: list[list[str | None]]) -> bool:
    """Whether all words stand as they stood; a scheduler's variable may have become another one, or its number."""
    known = [[[word for word in program if word is not None] for program in side] for side in (before, after)]
    return known[0] == known[1] or (
        [len(program) for program in before] == [len(program) for program in after]
        and all(
            was in (None, now)
            for programs in zip(before, after, strict=True)
            for was, now in zip(*programs, strict=True)
        )
    )


def test_the_course_s_own_example_starts_one_torchrun_a_node():
    """scripts/lsf/ddp_multi_node.lsf: four torchruns started on each node once."""
    _, found = translated(SCRIPTS / "lsf" / "ddp_multi_node.lsf", None)
    for to in ("slurm", "pbs"):
        (launch,) = starts(read_text(found[to].text, to))
        assert (launch.nodes, launch.tasks, launch.per_node, launch.processes, launch.cores) == (2, 2, 2, 4, 4)


def test_each_option_is_in_one_list():
    """Nothing is lost and nothing is told twice: header and launchers, all scripts, all directions."""
    count = 0
    for path, scheduler in ALL:
        script, found = translated(path, scheduler)
        options = sorted((piece.line, piece.written) for piece in pieces(script))
        for to, result in found.items():
            fates = [(fate.line, fate.written) for fate in result.lists.all if fate.place == "header"]
            assert sorted(fates) == options, (path.name, to)
            launchers = [(fate.line, fate.written) for fate in result.lists.all if fate.place == "launch"]
            wanted = launch_options(script)
            assert len(launchers) == len(wanted), (path.name, to)
            assert not {one for one in wanted if one[1]} - set(launchers), (path.name, to)
            count += len(fates) + len(launchers)
    assert count > 7_000


def launch_options(script: Script) -> list[tuple[int, str | None]]:
    """(line, option with its launcher) of all that starts processes on nodes, each place of the file once.

    The text is None where the option stands nowhere in one piece.
    """
    context = Context(script, Profile())
    found, seen = [], set()
    for launch in context.launches:
        layer = launch.spread
        if layer is None or layer.program.start in seen - {None}:
            continue
        seen.add(layer.program.start)
        for words in [one.words for one in layer.settings] + [(word,) for word in (*layer.unknown, *layer.extra)]:
            start, end = words[0].start, words[-1].end
            text = None if start is None or end is None else context.reading.text[start:end]
            written = text and f"{called(layer)} " + re.sub(r"\s*\\\n\s*", " ", text)
            found.append((launch.command.line, written))
    return found


def called(layer) -> str:
    return (layer.program.text or "").rpartition("/")[2] or layer.name


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_what_is_asked_of_a_person_quotes_the_script(path):
    script, found = translated(path, None)
    for result in found.values():
        for line in result.marks:
            quotes = re.findall(r"'([^']+)'", line.partition(": ")[2])
            assert not quotes or any(all(w in script.text for w in quote.split(" … ")) for quote in quotes), line
