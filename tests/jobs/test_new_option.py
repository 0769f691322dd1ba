"""A new option touches the places that CONTRIBUTING counts: an invented one is added to a copy of the package.

``--invented-thing=3`` of Slurm, ``-l invented_thing=3`` of PBS and ``-invented 3`` of LSF shall ask for the same. The
copy runs in a Python with no package but those beside the parser of the shell.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tree_sitter

from workshop.paths import REPO

CASES = "tests/jobs/cases_own/"
SLURM_ALONE = ("extra.py", "report.py", "slurm/options.py", "slurm/request.py", "slurm/write.py")
# File -> what is added in front of which text of it. The names are CONTRIBUTING's.
PLACES = {
    "extra.py": {"    # Several schedulers.\n": "    invented_thing: int | None = None\n"},
    "report.py": {
        '        ("dependency", request.dependency),\n': '        ("things", request.extra.invented_thing),\n'
    },
    "slurm/options.py": {"account acctg-freq": "invented-thing "},
    "slurm/request.py": {
        "        for option in COPIED:\n": '        request.extra.invented_thing = self.number("invented-thing")\n'
    },
    "slurm/write.py": {'    "licenses",\n': '    "invented_thing",\n'},
    "pbs/read.py": {
        '    "select",\n': '    "invented_thing",\n',
        '        if "wd" in resources:\n': '        if text := resources.get("invented_thing"):\n'
        "            request.extra.invented_thing = int(text)\n",
    },
    "pbs/write.py": {
        '"attributes", "resources"}, "PBS", NEAREST)': '"invented_thing", ',
        "    if request.extra.hold:\n": "    if thing := request.extra.invented_thing:\n"
        '        _line(written, "-l", f"invented_thing={thing}")\n',
    },
    "lsf/read.py": {
        "-jobaff -ln_slots": "-invented ",
        "        interactive = [": '        request.extra.invented_thing = self._try("-invented", int, None)\n',
    },
    "lsf/write.py": {'    "-sla": "service_class",\n': '    "-invented": "invented_thing",\n'},
}
# What is noticed where one of them is forgotten.
FORGOTTEN = {
    "extra.py": "has no attribute 'invented_thing'",
    "report.py": "slurm: not shown",
    "slurm/options.py": "slurm: unknown_option",
    "slurm/request.py": "slurm: invented_thing: expected 3, read None",
    "slurm/write.py": "slurm: written, it asks for None",
    "pbs/read.py": "pbs: not shown",
    "pbs/write.py": "pbs: written, it asks for None",
    "lsf/read.py": "lsf: unknown_option",
    "lsf/write.py": "lsf: written, it asks for None",
}
SCRIPTS = {
    "slurm": """\
#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --invented-thing=3

hostname
""",
    "pbs": """\
#!/bin/bash
#PBS -l select=1:ncpus=1
#PBS -l walltime=01:00:00
#PBS -l invented_thing=3

hostname
""",
    "lsf": """\
#!/bin/bash
#BSUB -n 1
#BSUB -W 1:00
#BSUB -o job-%J.out
#BSUB -invented 3

hostname
""",
}
OPTIONS = {"slurm": "--invented-thing=3", "pbs": "-l invented_thing=3", "lsf": "-invented 3"}
# What a case of tests/jobs/cases_own/ says of the script beside it.
EXPECT = """\
scheduler: {scheduler}
verdict: accept
effective: {{invented_thing: 3}}
warnings_right: []
"""
PROGRAM = """\
import json, sys
from pathlib import Path
from case_reading import cases, report_of, score
from workshop.jobs.dialect import targets
from workshop.jobs.read import read_text
from workshop.jobs.report import text
from workshop.jobs.translate import CannotTranslate, translate
from workshop.jobs.write import write

def translated(path, to):
    try:
        return translate(path, to).to_dict()
    except CannotTranslate as problem:
        return {"carried": [], "left_out": [], "text": str(problem)}

said = {}
for case in cases(Path(sys.argv[1])):
    report, name = report_of(case), case["scheduler"]
    found, lines = score(case), write(report.script.request, name).lines
    again = read_text("\\n".join(["#!/bin/bash", *lines, "true", ""]), name)
    said[name] = {
        "faults": [*found.missed, *found.false, *found.unasked],
        "text": text(report),
        "again": again.request.to_dict().get("invented_thing"),
        "to": {to: translated(case["path"], to) for to in targets() if to != name},
    }
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the package, and of what reads the cases."""
    root = tmp_path_factory.mktemp("option")
    package = REPO / "scripts" / "workshop"
    shutil.copytree(package / "jobs", root / "workshop" / "jobs", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "yaml_files.py"):
        shutil.copy(package / name, root / "workshop")
    shutil.copy(Path(__file__).parent / "case_reading.py", root)
    return root


def path_of(copy: Path, place: str) -> Path:
    """The file of a place in the copy."""
    jobs = copy / "workshop" / "jobs"
    return jobs / "dialects" / place if "/" in place else jobs / place


@contextmanager
def added(copy: Path, places: Iterable[str]) -> Iterator[None]:
    """The copy with the option in these places. Each file gets longer by it, so that Python compiles it anew."""
    before = {path_of(copy, place): path_of(copy, place).read_text() for place in places}
    try:
        for place in places:
            text = path_of(copy, place).read_text()
            for following, new in PLACES[place].items():
                assert text.count(following) == 1, (place, following)
                text = text.replace(following, new + following)
            path_of(copy, place).write_text(text)
        yield
    finally:
        for path, text in before.items():
            path.write_text(text)


def ask(copy: Path, folder: Path, schedulers: Iterable[str]) -> subprocess.CompletedProcess:
    """What the copy says of a case for each of the schedulers, as JSON."""
    for name in schedulers:
        (folder / f"{name}.sh").write_text(SCRIPTS[name])
        (folder / f"{name}.expect").write_text(EXPECT.format(scheduler=name))
    packages = str(Path(tree_sitter.__file__).parent.parent)
    paths = f"import sys; sys.path[:0] = [{str(copy)!r}]; sys.path.append({packages!r})"
    command = [sys.executable, "-I", "-S", "-c", f"{paths}\n{PROGRAM}", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def complaints(done: subprocess.CompletedProcess) -> list[str]:
    """What is not as it shall be: each scheduler takes, reads, shows, writes and translates its option."""
    if done.returncode:
        return [done.stderr]
    found = []
    for name, said in json.loads(done.stdout).items():
        found += [f"{name}: {fault}" for fault in said["faults"]]
        found += [] if re.search(r"^  things +3$", said["text"], re.MULTILINE) else [f"{name}: not shown"]
        found += [] if said["again"] == 3 else [f"{name}: written, it asks for {said['again']}"]
        for to, lists in said["to"].items():
            carried = [one["option"] for one in lists["carried"]]
            right = OPTIONS[name] in carried and OPTIONS[to] in lists["text"]
            found += [] if right else [f"{name} to {to}: not carried over"]
    return found


def counted(addition: str) -> tuple[int, set[str]]:
    """How many places CONTRIBUTING counts for an addition, and their names."""
    text = (REPO / "CONTRIBUTING.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith(f"| {addition} |"))
    _, _, _, now, where, _, _ = row.split("|")
    return int(now), set(re.findall(r"`([^`]+)`", where))


def test_an_option_of_all_schedulers_takes_the_places_that_are_counted(copy, tmp_path):
    with added(copy, PLACES):
        done = ask(copy, tmp_path, SCRIPTS)
    assert complaints(done) == []
    assert counted("an option that all three schedulers know") == (len(PLACES) + 1, {*PLACES, CASES})


def test_an_option_of_one_scheduler_takes_fewer_and_the_others_leave_it_out(copy, tmp_path):
    with added(copy, SLURM_ALONE):
        done = ask(copy, tmp_path, ["slurm"])
    assert complaints(done) == [f"slurm to {to}: not carried over" for to in ("pbs", "lsf")]
    for lists in json.loads(done.stdout)["slurm"]["to"].values():
        assert [one["option"] for one in lists["left_out"]] == ["--invented-thing=3"]
        assert "# NOT TRANSLATED: '--invented-thing=3'" in lists["text"]
    assert counted("an option that only Slurm knows") == (len(SLURM_ALONE) + 1, {*SLURM_ALONE, CASES})


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_was_forgotten_is_noticed(copy, tmp_path, place):
    with added(copy, PLACES.keys() - {place}):
        done = ask(copy, tmp_path, SCRIPTS)
    assert FORGOTTEN[place] in "\n".join(complaints(done))
