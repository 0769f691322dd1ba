"""The three folders agree: same stems, same requests, same layout, and the README says the truth."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from jobfiles import ENDINGS, KEYWORDS, path_of

from workshop.jobs import JobRequest, Script, read_script
from workshop.paths import REPO
from workshop.rehearse.plan import nodes_of

SCRIPTS = REPO / "scripts"
STEMS = sorted(path.stem for path in (SCRIPTS / "slurm").iterdir())
ALL = [(scheduler, stem) for scheduler in ENDINGS for stem in STEMS]


def needs(script: Script) -> dict[str, object]:
    """What a script asks for, in numbers that mean the same for every scheduler."""
    request: JobRequest = script.request
    nodes = nodes_of(script)
    return {
        "nodes": len(nodes), "cores": {node.cpus for node in nodes}, "gpus": {len(node.gpus) for node in nodes},
        "memory": request.mem.value if request.mem else None, "time": request.time_s,
        "array": request.array.indices if request.array else None, "queue": request.partition,
    }  # fmt: skip


@pytest.mark.parametrize("scheduler", list(ENDINGS))
def test_stems_are_the_same_everywhere(scheduler):
    assert sorted(path.name for path in (SCRIPTS / scheduler).iterdir()) == [
        stem + ENDINGS[scheduler] for stem in STEMS
    ]


@pytest.mark.parametrize("stem", STEMS)
def test_requests_are_the_same_everywhere(stem):
    asked = {scheduler: needs(read_script(path_of(scheduler, stem))) for scheduler in ENDINGS}
    assert asked["slurm"]["memory"] and asked["slurm"]["time"], "every script states memory and walltime"
    assert asked["pbs"] == asked["slurm"]
    assert asked["lsf"] == asked["slurm"]


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_readers_have_nothing_to_complain(scheduler, stem):
    script = read_script(path_of(scheduler, stem))
    assert script.scheduler == scheduler
    assert script.problems == []
    assert script.ignored_lines == []
    assert script.request.job_name == stem


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_order_of_parts(scheduler, stem):
    """Shebang, directives (some switched off, comments between), one blank line, ``set -euo pipefail``, the body."""
    lines = path_of(scheduler, stem).read_text().splitlines()
    assert lines[0] == "#!/bin/bash"
    blank = lines.index("")
    assert lines[blank + 1] == "set -euo pipefail"
    assert "" not in lines[blank + 1 :], "the body has no further blank line"
    for line in lines[1:blank]:
        assert line.startswith((KEYWORDS[scheduler] + " ", "#" + KEYWORDS[scheduler] + " ", "# EDIT: ")), line
    assert not any(line.startswith(KEYWORDS[scheduler]) for line in lines[blank:])


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_rules_for_directives(scheduler, stem):
    directives = [
        line for line in path_of(scheduler, stem).read_text().splitlines() if line.startswith(KEYWORDS[scheduler])
    ]
    for line in directives:
        assert "$" not in line, "no variables in directives: nobody expands them"
        if scheduler == "slurm":
            assert re.match(r"#SBATCH --[a-z-]+(=\S+)?(\s+#.*)?$", line), line
        if scheduler == "pbs":
            assert line.count("#") == 1, f"PBS refuses a comment behind a directive: {line}"


@pytest.mark.parametrize(("scheduler", "option"), [("slurm", "account=NAME"), ("pbs", "-A NAME"), ("lsf", "-P NAME")])
def test_the_first_script_has_a_line_for_the_account(scheduler, option):
    """Switched off, since not every site wants one; with one # it is what the scheduler reads."""
    text = path_of(scheduler, "hello").read_text()
    assert read_script(text).request.account is None
    assert sum(line.startswith("##") and option in line for line in text.splitlines()) == 1
    switched_on = read_script(text.replace("\n##", "\n#"))
    assert switched_on.problems == []
    assert switched_on.request.account == "NAME"


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_logs_are_named_after_the_job(scheduler, stem):
    request = read_script(path_of(scheduler, stem)).request
    if scheduler == "pbs":  # NAME.oID by default
        assert (request.output, request.join) == (None, "oe")
    else:
        patterns = {"slurm": ("%j", "%A_%a"), "lsf": ("%J", "%J-%I")}[scheduler]
        assert request.output is not None and patterns[1 if request.array else 0] in request.output


@pytest.mark.parametrize(("scheduler", "stem"), ALL)
def test_shellcheck(scheduler, stem):
    tool = Path(sys.executable).with_name("shellcheck")
    # SC1091: the environment that is activated is the reader's, not a file to be checked.
    done = subprocess.run(
        [tool, "--exclude=SC1091", path_of(scheduler, stem)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "name",
    sorted(
        {
            p
            for s in ENDINGS
            for f in (SCRIPTS / s).iterdir()
            for p in re.findall(r"scripts/train/\w+\.py", f.read_text())
        }
    ),
)
def test_programs_exist(name):
    assert (REPO / name).is_file()


def test_readme_table():
    """Every stem stands in the README once, with the resources that its Slurm script asks for."""
    rows = re.findall(
        r"^\| `(\w+)` \| (.+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) (MB|GB) \| (\d+):(\d+) \|$",
        (SCRIPTS / "README.md").read_text(),
        re.MULTILINE,
    )
    assert sorted(row[0] for row in rows) == STEMS
    for stem, sentence, nodes, cores, gpus, memory, unit, hours, minutes in rows:
        asked = needs(read_script(path_of("slurm", stem)))
        assert sentence.endswith(".")
        size = int(memory) * {"MB": 2**20, "GB": 2**30}[unit]
        told = (int(nodes), {int(cores)}, {int(gpus)}, size, 3600 * int(hours) + 60 * int(minutes))
        assert told == (asked["nodes"], asked["cores"], asked["gpus"], asked["memory"], asked["time"]), stem
