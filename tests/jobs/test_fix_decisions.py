"""Which rules mend and which ask, and the engine that makes the edits: what it takes back, what it never touches."""

from pathlib import Path

import check_command
import pytest
from case_reading import CORPORA, cases, report_of
from test_fix import SAFE, faults_of_fix, script_with

from workshop.jobs import rules
from workshop.jobs.check import check
from workshop.jobs.dialect import dialects
from workshop.jobs.fix import apply, fix
from workshop.jobs.model import Edit
from workshop.jobs.read import read_script
from workshop.jobs.rules.rule import catalogue, functions_of
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

HERE = Path(__file__).parent
DECISIONS = read_yaml(HERE / "fix_decisions.yml")
MEND, ASK = DECISIONS["mend"], DECISIONS["ask"]
# Lines that rules mend and that no case has.
MORE = [
    ("#SBATCH --hold=yes", "unwanted_value", "#SBATCH --hold"),
    ("#SBATCH --comment=run#3", "hash_starts_comment", '#SBATCH --comment="run#3"'),
    ("#SBATCH --mem=30 G", "unquoted_space", "#SBATCH --mem=30G"),
    ("#SBATCH --output=log-$SLURM_JOB_ID.out", "shell_variable_in_directive", "#SBATCH --output=log-%j.out"),
    ("#SBATCH -t 2 hours", "unquoted_space", "#SBATCH -t 02:00:00"),
    ("#SBATCH --comment=it\u2019s", "non_ascii_dash", '#SBATCH --comment="it\'s"'),
    ('#SBATCH --comment="say \u201chi\u201d now"', "non_ascii_dash", "#SBATCH --comment=\"say 'hi' now\""),
    ("#PBS -l mem=4000000000", "mem_unit_default_bytes", "#PBS -l mem=4000000000b"),
    ("#PBS -l walltime=1-12:00:00", "bad_time", "#PBS -l walltime=36:00:00"),
    ("#PBS -l select=1:ncpus=4, walltime=01:00:00", "unquoted_space", "#PBS -l select=1:ncpus=4,walltime=01:00:00"),
    ("#BSUB -W 24:00:00", "bad_time", "#BSUB -W 24:00"),
    ("#BSUB -Jd \u201cmy job\u201d", "non_ascii_dash", '#BSUB -Jd "my job"'),
    ("#BSUB -n=4", "equals_after_short_option", "#BSUB -n 4"),
]
# What looks alike and leaves something open.
LEFT = [
    ("#SBATCH --requeue=no", "unwanted_value"),
    ("#SBATCH --mem=100", "mem_unit_default_megabytes"),
    ("#SBATCH --output=$HOME/job.out", "shell_variable_in_directive"),
    ("#SBATCH --output=${SLURM_JOB_ID:-x}.out", "shell_variable_in_directive"),
    ("#SBATCH --output=logs/a\u2013b.out", "non_ascii_dash"),
    ("# SBATCH --nodes=2", "space_in_directive"),
    ("#sbatch --nodes=2", "lowercase_directive"),
    ("#SBATCH --nodes=2 4", "trailing_text_without_hash"),
    ("#PBS -N my job", "unquoted_space"),
    ("#PBS -l select=1:ppn=4", "misspelt_pbs_resource"),
    ('#BSUB -R "rusage[mem=4GB span[hosts=1]"', "bad_resource_string"),
]


def all_rules() -> set[str]:
    """The names of all rules of all schedulers."""
    for package in (rules, *(one.home for one in dialects().values())):
        functions_of(package)
    return {one.name for one in catalogue()}


def test_what_is_done_about_each_rule_is_decided_once_and_says_why():
    assert not set(MEND) & set(ASK)
    assert all(isinstance(why, str) and len(why) > 5 for why in (MEND | ASK).values())
    assert not all_rules() - set(MEND) - set(ASK)


def mending_rules() -> set[str]:
    """Rules with a finding on some case that brings an edit."""
    found = (finding for folder in CORPORA for case in cases(HERE / folder) for finding in _findings(case))
    return {finding.rule for finding in found if finding.edits}


def _findings(case: dict):
    return [] if case["scheduler"] == "other" else report_of(case).findings


def test_rules_bring_edits_as_decided():
    mend = mending_rules()
    assert not mend & set(ASK)
    elsewhere = {rule for _, rule, _ in SAFE + MORE} | {"not_plain_text"}  # a byte order mark is no line of its own
    assert set(MEND) - mend <= elsewhere


@pytest.mark.parametrize(("line", "rule", "mended"), MORE, ids=[line for line, _, _ in MORE])
def test_line_is_mended(line, rule, mended, tmp_path):
    path = script_with(line, tmp_path)
    assert rule in check_command.rules(check_command.report(path))
    assert check_command.run("--fix", path).stdout_bytes == path.read_bytes().replace(line.encode(), mended.encode())


@pytest.mark.parametrize(("line", "rule"), LEFT, ids=[line for line, _ in LEFT])
def test_line_that_leaves_something_open_is_left(line, rule, tmp_path):
    path = script_with(line, tmp_path)
    result = check_command.run("--fix", path)
    assert result.stdout_bytes == path.read_bytes()
    assert rule in result.stderr and "Decide: " in result.stderr


@pytest.mark.parametrize("folder", ["slurm", "pbs", "lsf"])
def test_scripts_of_the_course_are_not_spoiled(folder, tmp_path):
    paths = sorted((REPO / "scripts" / folder).iterdir())
    assert len(paths) > 5
    for path in paths:
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        assert not faults_of_fix(copy, [])


def test_edit_that_would_bring_a_new_finding_is_taken_back():
    """With quotes LSF would see the memory, and it depends on the site what that counts for."""
    script = read_script("#!/bin/bash\n#BSUB -n 4 -W 30 -o %J\n#BSUB -R select[mem>1] rusage[mem=1GB]\nhostname\n")
    assert any(finding.rule == "unquoted_space" and finding.edits for finding in check(script).findings)
    fixed = fix(script)
    assert fixed.text == script.text and not fixed.applied
    assert "unquoted_space" in [finding.rule for finding in fixed.left]


def test_findings_that_hide_behind_others_are_mended_too():
    script = read_script("#!/bin/bash\n#SBATCH \u2013\u2013nodes = 2 (a remark)\nsrun date\n")
    assert fix(script).text == "#!/bin/bash\n#SBATCH --nodes=2 # (a remark)\nsrun date\n"


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (Edit(2, "b", "c", 1), "aa\r\nbc\r\ncc"),
        (Edit(2, new="x", kind="insert"), "aa\r\nx\r\nbb\r\ncc"),
        (Edit(2, "bb", kind="delete"), "aa\r\ncc"),
        (Edit(2, "a", "c", 1), None),
        (Edit(2, "b", kind="delete"), None),
        (Edit(9, "b", "c"), None),
    ],
)
def test_edit_keeps_line_ends_and_is_not_made_where_it_does_not_fit(edit, after):
    assert apply("aa\r\nbb\r\ncc", (edit,)) == after


def test_two_edits_of_one_line_do_not_move_each_other():
    assert apply("abcd\n", (Edit(1, "a", "xx", 0), Edit(1, "c", "", 2))) == "xxbd\n"


BODY = b"#SBATCH --nodes = 2\ndate # \xfc\xff\n"


@pytest.mark.parametrize(
    ("data", "mended"),
    [
        (b"#!/bin/bash\n" + BODY, b"#!/bin/bash\n#SBATCH --nodes=2\ndate # \xfc\xff\n"),  # Latin-1
        (b"\xef\xbb\xbf#!/bin/bash\n#SBATCH --nodes=2\n", b"#!/bin/bash\n#SBATCH --nodes=2\n"),
        ("#!/bin/bash\n#SBATCH --nodes = 2\n".encode("utf-16"), None),
        (b"#!/bin/bash\r\n#SBATCH --time=4h\r\n\r\rdate\r", b"#!/bin/bash\n#SBATCH --time=04:00:00\n\r\rdate"),
    ],
    ids=["latin-1", "byte order mark", "utf-16", "carriage returns"],
)
def test_bytes_that_are_no_fault_stay(data, mended, tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_bytes(data)
    assert check_command.run("--fix", path).stdout_bytes == (data if mended is None else mended)


@pytest.mark.parametrize(
    ("shebang", "line"),
    [
        ("#!/bin/bash", "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK"),
        ("#!/bin/tcsh", "setenv SRUN_CPUS_PER_TASK $SLURM_CPUS_PER_TASK"),
    ],
)
def test_a_line_of_the_body_is_in_the_language_of_the_script(shebang, line):
    script = read_script(f"{shebang}\n#SBATCH -n 2 -c 4\n\nsrun ./simulate\n")
    assert fix(script).text == f"{shebang}\n#SBATCH -n 2 -c 4\n\n{line}\nsrun ./simulate\n"


@pytest.mark.parametrize(
    ("command", "line", "mended"),
    [
        ("sbatch --ntasks-per-no=2", "#SBATCH --nodes = 2", "#SBATCH --nodes=2"),
        ("qsub -l walltime=4h", "#PBS -l select=1:ncpu=4", "#PBS -l select=1:ncpus=4"),
        ("bsub -n=4", '#BSUB -R "rusage(mem=4GB)"', '#BSUB -R "rusage[mem=4GB]"'),
    ],
)
def test_options_behind_the_command_that_submits_are_left_and_the_job_in_the_file_is_mended(command, line, mended):
    """The options are words of a shell: the readers of directives do not know where those stand."""
    text = f"#!/bin/bash\n{command} <<'EOF'\n#!/bin/bash\n{line}\nhostname\nEOF\n"
    assert fix(read_script(text)).text == text.replace(line, mended)


def test_standard_input_is_mended(tmp_path):
    result = check_command.run("--fix", "-", stdin=b"#!/bin/bash\n#SBATCH --nodes = 2\nsrun date\n")
    assert result.stdout_bytes == b"#!/bin/bash\n#SBATCH --nodes=2\nsrun date\n"


def test_several_files_are_written_or_shown_but_not_printed_after_each_other(tmp_path):
    paths = []
    for name in ("one", "two"):
        paths.append(tmp_path / f"{name}.sbatch")
        paths[-1].write_text("#!/bin/bash\n#SBATCH --nodes = 2\nsrun date\n")
    assert check_command.run("--fix", *paths).exit_code == 2
    assert check_command.run("--fix", "--diff", *paths).stdout.count("+#SBATCH --nodes=2") == 2
    assert check_command.run("--in-place", *paths).exit_code == 0
    assert all("--nodes=2" in path.read_text() for path in paths)


def test_exit_status_says_what_is_left_or_could_not_be_written(tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --nodes = 2\n#SBATCH --nosuch\nsrun date\n")
    original = path.read_bytes()
    assert check_command.run("--fix", path).exit_code == 1
    path.with_name("job.sbatch.orig").write_text("kept\n")
    refused = check_command.run("--in-place", path)
    assert refused.exit_code == 2 and "job.sbatch.orig" in refused.stderr
    assert path.read_bytes() == original
    for wrong in (["--in-place", "--diff", path], ["--in-place", "-"], ["--fix", "--format", "json", path]):
        assert check_command.run(*wrong).exit_code == 2
