"""``workshop check --fix``: the finding is gone, no new one has come, the rest of the file is as it was."""

import difflib
import random
import re
from collections import Counter
from pathlib import Path

import check_command
import pytest
from case_reading import CORPORA, cases
from jobfiles import ENDINGS, KEYWORDS
from mutations import mutated
from public_reading import options

HERE = Path(__file__).parent
ALL = [case for folder in CORPORA for case in cases(HERE / folder)]
HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
EN_DASH, EM_DASH = "\u2013", "\u2014"
# What is safe to mend, and the line that has to come out: directive or command, rule, mended line.
SAFE = [
    (f"#SBATCH {EN_DASH}-nodes=2", "non_ascii_dash", "#SBATCH --nodes=2"),
    (f"#SBATCH {EM_DASH}nodes=2", "non_ascii_dash", "#SBATCH --nodes=2"),
    (f"#SBATCH {EN_DASH}N 2", "non_ascii_dash", "#SBATCH -N 2"),
    ("#SBATCH --comment=\u201ctwo words\u201d", "non_ascii_dash", '#SBATCH --comment="two words"'),
    ("#SBATCH --mail-type=END, FAIL", "unquoted_space", "#SBATCH --mail-type=END,FAIL"),
    ("#SBATCH --nodes = 2", "spaces_around_equals", "#SBATCH --nodes=2"),
    ("#SBATCH -t=10:00", "equals_after_short_option", "#SBATCH -t 10:00"),
    ("#SBATCH --nod=2", "abbreviated_option", "#SBATCH --nodes=2"),
    ("#SBATCH --ntasks=4 --tres-per-task=gpu=1", "bad_tres_per_task", "#SBATCH --ntasks=4 --tres-per-task=gres/gpu=1"),
    ("#SBATCH\u00a0--nodes=2", "no_break_blank", "#SBATCH --nodes=2"),
    ("srun\u00a0./simulate", "no_break_blank", "srun ./simulate"),
    ("module cuda/12.4", "module_line_without_command", "module load cuda/12.4"),
    ("#PBS -l select=1:ncpu=4:mem=8gb", "misspelt_pbs_resource", "#PBS -l select=1:ncpus=4:mem=8gb"),
    ('#BSUB -R "rusage(mem=4GB)"', "bad_resource_string", '#BSUB -R "rusage[mem=4GB]"'),
    ('#BSUB -w "afterok(123)"', "foreign_scheduler_words", '#BSUB -w "done(123)"'),
]
ENDING = {KEYWORDS[scheduler]: ENDINGS[scheduler] for scheduler in ENDINGS}


def fixed(path: Path, *arguments: str) -> bytes:
    """What ``workshop check --fix`` prints: the script and nothing else."""
    result = check_command.run("--fix", path, *arguments)
    assert not check_command.crashed(result) and result.exit_code in (0, 1), (result.exception, result.stderr)
    return result.stdout_bytes


def copy_of(case: dict, folder: Path) -> Path:
    """The case's script under its own name in a folder where it may be changed."""
    path = folder / case["path"].name
    path.write_bytes(case["path"].read_bytes())
    return path


def counted(report: dict) -> Counter:
    return Counter(finding["rule"] for finding in report["findings"])


def may_change(before: dict, gone: Counter, data: bytes) -> set[int]:
    """The lines in which the findings that went away stand, with the lines that continue them."""
    lines = data.splitlines()
    if gone["crlf_line_endings"]:
        return set(range(1, len(lines) + 1))
    allowed = set(before["ignored_lines"])
    for finding in before["findings"]:
        line = finding["line"] if gone[finding["rule"]] else None
        while line and line <= len(lines):
            allowed.add(line)
            line = line + 1 if lines[line - 1].endswith(b"\\") else None
    return allowed


def changed(before: bytes, after: bytes) -> set[int]:
    """The lines of ``before`` that ``after`` no longer has as they were."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(True), after.splitlines(True), autojunk=False)
    edits = [(first, last) for kind, first, last, _, _ in matcher.get_opcodes() if kind in ("replace", "delete")]
    return {number + 1 for first, last in edits for number in range(first, last)}


def faults_of_fix(path: Path, arguments: list[str]) -> list[str]:
    """What is wrong with the mended text of one file; empty where all promises hold."""
    data, before = path.read_bytes(), check_command.report(path, *arguments)
    text = fixed(path, *arguments)
    if text == data:
        return []
    mended = path.with_name("mended-" + path.name)
    mended.write_bytes(text)
    after = check_command.report(mended, *arguments)
    gone, new = counted(before) - counted(after), counted(after) - counted(before)
    outside = changed(data, text) - may_change(before, gone, data)
    again = fixed(mended, *arguments) != text
    told = {"nothing is gone": not gone, f"new: {dict(new)}": new, f"other lines: {outside}": outside}
    return [fault for fault, there in {**told, "a second --fix changes more": again}.items() if there]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["path"].name)
def test_finding_is_gone_none_is_new_and_the_rest_is_as_it_was(case, tmp_path):
    assert not faults_of_fix(copy_of(case, tmp_path), options(case))


def test_scripts_without_findings_are_untouched(tmp_path):
    clean = [case for case in ALL if not check_command.report(case["path"], *options(case))["findings"]]
    assert len(clean) > 50
    for case in clean:
        path = copy_of(case, tmp_path)
        assert fixed(path, *options(case)) == case["path"].read_bytes()
        assert not check_command.crashed(check_command.run("--fix", "--in-place", path, *options(case)))
        assert path.read_bytes() == case["path"].read_bytes()
        assert not path.with_name(path.name + ".orig").exists()


def script_with(line: str, folder: Path) -> Path:
    """A job script with one line, of the scheduler whose directive it is; a command goes below the header."""
    magic = line.split("\u00a0")[0].split(" ")[0]
    header = "" if magic in ENDING else "#SBATCH --ntasks=1\n"
    path = folder / f"job{ENDING.get(magic, '.sbatch')}"
    name = {"#PBS": "#PBS -N job", "#BSUB": "#BSUB -J job\n#BSUB -o %J.out"}.get(magic, "#SBATCH --job-name=job")
    path.write_text(f"#!/bin/bash\n{name}\n{header}{line}\n\ndate  # ü\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("line", "rule", "mended"), SAFE, ids=[f"{rule}: {mended}" for _, rule, mended in SAFE])
def test_safe_edit_is_made(line, rule, mended, tmp_path):
    path = script_with(line, tmp_path)
    assert rule in check_command.rules(check_command.report(path))
    assert fixed(path) == path.read_bytes().replace(line.encode(), mended.encode())


def test_carriage_returns_go_and_nothing_else(tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_bytes(b"#!/bin/bash\r\n#SBATCH --nodes=2\r\n\r\nsrun hostname")
    assert fixed(path) == b"#!/bin/bash\n#SBATCH --nodes=2\n\nsrun hostname"


def test_what_only_a_person_can_decide_is_said_and_not_done(tmp_path):
    """Two lines for the same option: nobody but the author knows which one was meant."""
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --ntasks=1\n#SBATCH --time=01:00:00\n#SBATCH --time=02:00:00\n\nsrun date\n")
    result = check_command.run("--fix", path)
    assert result.stdout_bytes == path.read_bytes()
    assert "duplicate_option" in result.stderr


def test_in_place_writes_and_keeps_the_original_with_its_rights(tmp_path):
    path = script_with(f"#SBATCH {EN_DASH}N 2", tmp_path)
    path.chmod(0o750)
    original = path.read_bytes()
    mended = fixed(path)
    for _ in range(2):  # a second run must not put the mended text in the original's place
        assert not check_command.crashed(check_command.run("--fix", "--in-place", path))
        assert path.read_bytes() == mended != original
        assert path.with_name(path.name + ".orig").read_bytes() == original
        assert path.stat().st_mode & 0o777 == 0o750


def test_in_place_does_not_overwrite_an_older_original(tmp_path):
    path = script_with(f"#SBATCH {EN_DASH}N 2", tmp_path)
    kept = path.with_name(path.name + ".orig")
    kept.write_text("somebody's only copy\n")
    check_command.run("--fix", "--in-place", path)
    assert kept.read_text() == "somebody's only copy\n"


def patched(original: bytes, diff: bytes) -> bytes:
    """``original`` with a unified diff applied."""
    lines, out, at, inside = original.splitlines(True), [], 0, False
    for line in diff.splitlines(True):
        if hunk := HUNK.match(line):
            start = int(hunk[1]) - (hunk[2] != b"0")
            out, at, inside = out + lines[at:start], start, True
        elif inside and line[:1] in (b" ", b"-"):
            assert lines[at].rstrip(b"\r\n") == line[1:].rstrip(b"\r\n")
            out, at = out + (lines[at : at + 1] if line[:1] == b" " else []), at + 1
        elif inside and line[:1] == b"+":
            out.append(line[1:])
        elif inside and line.startswith(b"\\"):
            out[-1] = out[-1].removesuffix(b"\n")
    return b"".join(out + lines[at:])


@pytest.mark.parametrize("case", ALL[::5], ids=lambda case: case["path"].name)
def test_diff_leads_from_the_file_to_the_mended_one(case, tmp_path):
    path = copy_of(case, tmp_path)
    result = check_command.run("--diff", path, *options(case))
    assert not check_command.crashed(result) and result.exit_code in (0, 1), result.stderr
    diff, mended = result.stdout_bytes, fixed(path, *options(case))
    assert path.read_bytes() == case["path"].read_bytes()
    assert diff.startswith(b"--- ") if mended != path.read_bytes() else diff == b""
    assert patched(path.read_bytes(), diff) == mended


def test_mutated_scripts_are_mended_as_well_as_whole_ones(tmp_path):
    """No crash, nothing new, no other line; the seed is fixed, so that a red run can be repeated."""
    draw = random.Random(12)
    path = tmp_path / "job.sh"
    for _ in range(100):
        path.write_bytes(mutated(draw.choice(ALL)["path"].read_bytes(), draw))
        if check_command.run(path).exit_code != 2:
            assert not faults_of_fix(path, []), path.read_bytes()
