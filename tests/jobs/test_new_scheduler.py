"""A new scheduler is one folder and one word: an invented one reads, checks and translates.

It runs in a copy of ``workshop.jobs`` alone, by a Python with no package but the parser: so this part needs no other.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter

from workshop.paths import REPO

INVENTED = Path(__file__).parent / "invented" / "quark"
PACKAGE = REPO / "scripts" / "workshop"
QUARK = """\
#!/bin/bash
#QUARK --nodes=2 --tasks=3
#QUARK --minutes=90

cd "$SLURM_SUBMIT_DIR"
qrun python train.py --id "$QUARK_JOB"
"""
SLURM = """\
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=4
#SBATCH --time=01:30:00

cd "$SLURM_SUBMIT_DIR"
srun python train.py --id "$SLURM_JOB_ID"
echo "$QUARK_JOB"
"""
PROGRAM = """\
import json, sys
from workshop.jobs import read_script
from workshop.jobs.check import check
from workshop.jobs.report import text
from workshop.jobs.translate import translate
quark, slurm = sys.argv[1:]
report, other = check(read_script(quark)), check(read_script(slurm))
print(json.dumps({
    "report": report.to_dict(),
    "text": text(report),
    "to_slurm": translate(quark, "slurm").text,
    "to_quark": translate(slurm, "quark").text,
    "in_slurm": {finding.rule: finding.fix for finding in other.findings},
}))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> dict:
    """What the copy says of a script for Quark and of one for Slurm."""
    folder = tmp_path_factory.mktemp("quark")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE / "jobs", folder / "workshop" / "jobs", ignore=ignore)
    shutil.copy(PACKAGE / "__init__.py", folder / "workshop")
    shutil.copytree(INVENTED, folder / "workshop" / "jobs" / "dialects" / "quark", ignore=ignore)
    known = folder / "workshop" / "jobs" / "dialect.py"
    text = known.read_text()
    assert 'PACKAGES = ("slurm", "pbs", "lsf")' in text
    known.write_text(text.replace('PACKAGES = ("slurm", "pbs", "lsf")', 'PACKAGES = ("slurm", "pbs", "lsf", "quark")'))
    (folder / "quark.txt").write_text(QUARK)
    (folder / "slurm.txt").write_text(SLURM)
    # The copy and the parser of the shell, and nothing else that is installed.
    parser = str(Path(tree_sitter.__file__).parent.parent)
    paths = f"import sys; sys.path[:0] = [{str(folder)!r}]; sys.path.append({parser!r})"
    command = [sys.executable, "-I", "-S", "-c", f"{paths}\n{PROGRAM}"]
    done = subprocess.run(
        [*command, str(folder / "quark.txt"), str(folder / "slurm.txt")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_recognized_and_read(said):
    request = said["report"]["request"]
    assert said["report"]["scheduler"] == "quark"
    assert (request["nodes"], request["tasks"], request["time_s"]) == (2, 3, 5400)


def test_it_is_reported_in_its_own_words(said):
    assert "a script for Quark" in said["text"] and "in the site's default lane" in said["text"]
    assert "Submit with: qk " in said["text"]


def test_its_rule_and_the_rules_for_all_look_at_it(said):
    found = {finding["rule"]: finding["fix"] for finding in said["report"]["findings"]}
    assert found == {"quark_is_odd": "--tasks=2", "foreign_scheduler_variables": "SLURM_SUBMIT_DIR -> QUARK_FROM"}
    assert said["report"]["verdict"] == "accept-but-wrong"


def test_the_others_know_its_variables(said):
    assert said["in_slurm"]["foreign_scheduler_variables"] == "QUARK_JOB -> SLURM_JOB_ID"


def test_it_is_translated_both_ways(said):
    assert "#SBATCH --time=01:30:00" in said["to_slurm"] and '--id "$SLURM_JOB_ID"' in said["to_slurm"]
    assert "#QUARK --minutes=90" in said["to_quark"] and 'cd "$QUARK_FROM"' in said["to_quark"]
    assert 'qrun -n 4 python train.py --id "$QUARK_JOB"' in said["to_quark"]
