"""``workshop check``: the sentence, the table, the findings, the JSON of issue 6, the exit status."""

import json
import re
from pathlib import Path

import check_command
import pytest
from check_command import run

from workshop.jobs.check import check
from workshop.jobs.model import VERDICTS
from workshop.jobs.profile import NodeFacts, Profile
from workshop.jobs.read import read_text
from workshop.paths import REPO

CASES = Path(__file__).parent / "cases"
KEYS = {"file", "scheduler", "verdict", "request", "ignored_lines", "findings"}
REQUEST = {
    "nodes",
    "tasks",
    "tasks_per_node",
    "cpus_per_task",
    "cpus_total",
    "gpus_per_node",
    "gpus_total",
    "gpu_type",
    "mem",
    "time_s",
    "partition",
    "account",
    "job_name",
    "array",
    "exclusive",
    "signal",
}
FINDING = {"rule", "severity", "line", "message", "fix", "source"}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.sh")), ids=lambda path: path.name)
def test_json_has_the_promised_keys(path):
    result = run(str(path), "--format", "json")
    report = json.loads(result.stdout)
    assert set(report) == KEYS
    assert set(report["request"]) >= REQUEST
    assert report["verdict"] in VERDICTS
    assert all(set(finding) == FINDING for finding in report["findings"])
    assert all(finding["source"].startswith("https://") for finding in report["findings"])
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    assert result.exit_code == (1 if errors else 0)


def test_json_has_numbers_and_bytes():
    report = json.loads(run(str(CASES / "S05_array_throttled.sh"), "--format", "json").stdout)
    assert report["request"]["mem"] == {"value": 32 * 1024**3, "scope": "per_node"}
    assert report["request"]["array"]["count"] == 10
    assert report["request"]["array"]["max_running"] == 2
    assert report["request"]["partition"] == "gpu"
    assert report["request"]["account"] is None


def test_text_says_what_the_job_asks_for_then_what_is_wrong():
    result = run(str(CASES / "S07_directives_after_command.sh"))
    assert "Asks for 1 task on 1 node, 1 CPU a task, no GPU, for the site's default time" in result.output
    assert "Lines without effect: 3, 4, 5, 6, 7, 8, 9" in result.output
    assert "warning line 3 [directives_after_first_command]" in result.output
    assert "Write: move all #SBATCH lines above line 2" in result.output
    assert "See: https://slurm.schedmd.com/sbatch.html" in result.output


def test_scheduler_can_be_given_for_a_pbs_file_handed_to_sbatch():
    path = str(CASES / "S33_pure_pbs_script_given_to_sbatch.sh")
    assert json.loads(run(path, "--format", "json").stdout)["scheduler"] == "pbs"
    report = json.loads(run(path, "--format", "json", "--scheduler", "slurm").stdout)
    assert report["request"]["time_s"] == 216000


def test_way_of_submitting_makes_a_note_a_warning():
    path = str(CASES / "L13_not_redirected.sh")
    # 16 slots without span, which is another matter
    assert json.loads(run(path, "--format", "json").stdout)["verdict"] == "accept-but-suspicious"
    report = json.loads(run(path, "--format", "json", "--submit", "bsub L13.sh").stdout)
    assert report["verdict"] == "site-dependent"


@pytest.mark.parametrize(
    ("directives", "rule"),
    [
        ("#PBS -l nodes=2:ppn=4,walltime=1:00:00", None),  # Torque's words at a site with Torque
        ("#PBS -l walltime=1:00:00", None),  # the words of both
        ("#SBATCH --time=60", "site_of_another_scheduler"),
    ],
)
def test_a_torque_site_reads_pbs_scripts_as_torque(tmp_path, directives, rule):
    path, site = tmp_path / "job.sh", tmp_path / "oldtown.yml"
    path.write_text(f"#!/bin/bash\n{directives}\n\nhostname\n")
    site.write_text((REPO / "tests" / "repository" / "invented" / "oldtown.yml").read_text())
    report = json.loads(run(str(path), "--format", "json", "--site", str(site)).stdout)
    found = [finding for finding in report["findings"] if finding["rule"] == "site_of_another_scheduler"]
    assert [finding["rule"] for finding in found] == ([rule] if rule else [])
    assert not any("--to torque" in finding["fix"] for finding in found)
    assert report["scheduler"] == ("slurm" if rule else "torque")


def test_site_gives_the_facts_that_only_it_knows(tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --partition=nosuch\n#SBATCH --time=10\nhostname\n")
    rules = {f["rule"] for f in json.loads(run(str(path), "--format", "json", "--site", "practice").stdout)["findings"]}
    assert "gpu_type_or_partition_not_in_profile" in rules
    assert run(str(path), "--site", "nowhere").exit_code != 0


def test_sbatch_variables_of_the_shell_are_named():
    result = run(str(CASES / "S01_glued_short_options.sh"), environment={"SBATCH_TIMELIMIT": "5"})
    assert "SBATCH_TIMELIMIT" in result.output


def files_of(folder: Path, **texts: str) -> list[str]:
    """Job scripts of these names in ``folder``."""
    paths = [folder / f"{name}.sbatch" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text("#!/bin/bash\n#SBATCH --output=%j.out\n" + text)
    return [str(path) for path in paths]


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        ({"right": "srun date\n", "right_too": "srun date\n"}, 0),
        ({"wrong": "#SBATCH --time=4h\nsrun date\n", "right": "srun date\n"}, 1),
    ],
)
def test_several_files_get_a_report_each_and_one_exit_status(texts, status, tmp_path):
    paths = files_of(tmp_path, **texts)
    result = run(*paths)
    assert result.exit_code == status
    places = [result.stdout.index(f"{path}: ") for path in paths]
    assert places == sorted(places)
    reports = json.loads(run(*paths, "--format", "json").stdout)
    assert [report["file"] for report in reports] == paths
    assert reports[0] == check_command.report(paths[0])


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path):
    paths = files_of(tmp_path, wrong="#SBATCH --time=4h\nsrun date\n", right="srun date\n")
    missing = str(tmp_path / "missing.sbatch")
    result = run(paths[0], missing, paths[1])
    assert result.exit_code == 2
    assert missing in result.stderr
    assert all(f"{path}: " in result.stdout for path in paths)


@pytest.mark.parametrize(
    ("version", "makes_folders", "hands_on_cores"),
    [("22.05.8", False, False), ("23.02", True, False), ("23.11", True, True), ("25.05", True, True)],
)
def test_version_of_slurm_decides_what_changed_with_it(version, makes_folders, hands_on_cores, tmp_path):
    """23.02 makes the folders of logs; from 22.05 to 23.02 srun forgets the job's cores a task."""
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH -n 1 -c 8\n#SBATCH --output=logs/%j.out\n\nsrun ./simulate\n")
    findings = json.loads(run(path, "--slurm-version", version, "--format", "json").stdout)["findings"]
    severity = {finding["rule"]: finding["severity"] for finding in findings}
    assert ("log_directory_must_exist_before_submit" not in severity) == makes_folders
    forgets = severity.get("srun_needs_cpus_per_task_22_05_to_23_02")
    assert forgets is None if hands_on_cores else forgets in ("warning", "error")


@pytest.mark.parametrize(
    ("version", "says", "says_not"),
    [
        ("22.05", "refuses the step", "waits"),
        ("24.11", "waits until", "refuses"),
        (None, "in Slurm 24.11", "without a word"),
    ],
)
def test_what_becomes_of_a_step_larger_than_its_job_depends_on_the_version(version, says, says_not, tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --ntasks=2\n\nsrun --cpus-per-task=8 ./simulate\n")
    options = ("--slurm-version", version) if version else ()
    findings = json.loads(run(path, *options, "--format", "json").stdout)["findings"]
    (told,) = [one["message"] for one in findings if one["rule"] == "srun_asks_more_tasks_than_allocated"]
    assert says in told and says_not not in told


@pytest.mark.parametrize(("tasks", "told"), [(32, 0), (96, 0), (97, 1)])
def test_a_site_with_whole_nodes_grants_all_their_cores(tasks, told):
    text = f"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n\nsrun -n {tasks} ./simulate\n"
    site = Profile("whole", nodes=[NodeFacts("cpu", cores=48)], whole_nodes=True)
    rules = [one.rule for one in check(read_text(text, "slurm"), site).findings]
    assert rules.count("srun_asks_more_tasks_than_allocated") == told


def test_without_a_version_both_are_notes_that_name_it(tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH -n 1 -c 8\n#SBATCH --output=logs/%j.out\n\nsrun ./simulate\n")
    findings = json.loads(run(path, "--format", "json").stdout)["findings"]
    assert {finding["severity"] for finding in findings} == {"note"}
    assert all("23.02" in finding["message"] + finding["fix"] for finding in findings)


def test_lines_of_two_systems_are_told_with_the_way_to_read_the_other():
    path = CASES.parent / "cases_launch" / "stray_directive_read_1.lsf"
    assert json.loads(run(path, "--format", "json").stdout)["scheduler"] == "lsf"
    said = run(path).stdout
    assert "--scheduler slurm" in said and "line 10" in said
    assert json.loads(run(path, "--format", "json", "--scheduler", "slurm").stdout)["request"]["cpus_per_task"] == 8


@pytest.mark.parametrize("ending", [".sh", ".sbatch"])
def test_script_that_asks_for_nothing_is_told_so(ending, tmp_path):
    path = tmp_path / f"job{ending}"
    path.write_text("#!/bin/bash\nsource .venv/bin/activate\npython train.py\n")
    said = run(path).stdout
    assert "it does what it says" not in said
    assert "asks for nothing" in said


def decoded(text: str) -> str:
    """What GitHub's runner makes of the escaped text of a command; the percent sign comes last."""
    for escaped, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def test_annotations_say_what_the_report_says(tmp_path):
    path = tmp_path / "100%, a: b\n.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --time=4h\n#SBATCH --output=100%%\nsrun date\n#SBATCH --mem=4G\n")
    result = run(path, "--format", "github")
    report = json.loads(run(path, "--format", "json").stdout)
    assert result.exit_code == 1
    words = {"error": "error", "warning": "warning", "note": "notice"}
    expected = []
    for found in report["findings"]:
        at = {"file": str(path), "title": found["rule"]} | ({"line": str(found["line"])} if found["line"] else {})
        more = [f"{word}: {found[key]}" for word, key in (("Write", "fix"), ("See", "source")) if found[key]]
        expected.append((words[found["severity"]], at, "\n".join([found["message"], *more])))
    told = []
    for line in result.stdout.splitlines():
        word, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()
        pairs = (one.split("=", 1) for one in properties.split(","))
        told.append((word, {name: decoded(value) for name, value in pairs}, decoded(message)))
    assert told == expected and len(told) > 1


def test_an_annotation_for_a_file_that_cannot_be_read():
    result = run("missing.sbatch", "--format", "github")
    assert result.exit_code == 2
    assert result.stdout.startswith("::error file=missing.sbatch,title=unreadable_input::No such file")


def test_quiet_prints_errors_and_warnings_alone(tmp_path):
    paths = files_of(tmp_path, right="srun date\n", wrong="#SBATCH --time=4h\nsrun date\n#SBATCH --mem=4G\n")
    result = run(*paths, "--quiet")
    findings = json.loads(run(paths[1], "--format", "json").stdout)["findings"]
    heads = [f"{paths[1]}:{f['line']}: {f['severity']} [{f['rule']}]" for f in findings if f["severity"] != "note"]
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if not line.startswith("  ")] == heads
    assert {line.split(": ")[1].split()[0] for line in heads} == {"error", "warning"}
    assert run(paths[0], "--quiet").stdout == ""


@pytest.mark.parametrize(
    "options", [("--quiet", "--fix"), ("--format", "github", "--diff"), ("--quiet", "--format", "json")]
)
def test_what_is_for_the_report_alone_is_refused_elsewhere(options, tmp_path):
    (path,) = files_of(tmp_path, right="srun date\n")
    assert run(path, *options).exit_code == 2
