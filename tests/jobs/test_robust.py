"""Any bytes in, no crash out; and fast."""

import contextlib
import json
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import check_command
import pytest
from amount import examples
from case_reading import CORPORA, cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated as spoiled

from workshop.jobs.check import check
from workshop.jobs.model import VERDICTS
from workshop.jobs.read import UnreadableInput, read_script
from workshop.jobs.translate import TARGETS, CannotTranslate, translate

HERE = Path(__file__).parent
FILES = [case["path"].read_bytes() for folder in CORPORA for case in cases(HERE / folder)]
PIECES = [
    b"#SBATCH ",
    b"#PBS ",
    b"#BSUB ",
    b"-l select=",
    b"--gres=gpu:",
    b'-R "',
    b"'",
    b"\\\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"[",
    b"%",
    b"-",
    b"=",
    b":",
    b",",
    b"\n",
    b"$(",
    b"<<EOF\n",
    b"hetjob",
    b"-J a[1-",
    b"\xe2\x80\x93",
    b"9" * 30,
    b"#",
    b"`",
    b"${",
]
# CPU seconds within which any file is answered: 1 on an idle machine, up to 5 beside other tests. What is left unparsed
# shows in the findings; this is against readings that grow with the square of a file.
PATIENCE_S = 20
SCHEDULERS = st.sampled_from([None, "slurm", "pbs", "torque", "lsf"])


@st.composite
def mutated(draw) -> bytes:
    """A real case with some bytes cut out, doubled, or replaced by pieces of directives."""
    data = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(start + 40, len(data))))
        new = draw(st.one_of(st.sampled_from(PIECES), st.just(data[start:end] * 2), st.binary(max_size=8)))
        data = data[:start] + new + data[end:]
    return data


def read_and_check(data: bytes, scheduler: str | None) -> None:
    try:
        script = read_script(data, scheduler)
    except UnreadableInput:
        return
    report = check(script)
    assert report.verdict in VERDICTS
    json.dumps(report.to_dict())


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), SCHEDULERS)
def test_mutated_files_never_crash_the_checker(data, scheduler):
    read_and_check(data, scheduler)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), SCHEDULERS, st.sampled_from(TARGETS))
def test_mutated_files_never_crash_the_translator(data, scheduler, to):
    with contextlib.suppress(UnreadableInput, CannotTranslate):
        assert translate(data, to, scheduler).text.startswith("#!")


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=300), SCHEDULERS)
def test_random_bytes_never_crash_the_checker(data, scheduler):
    read_and_check(data, scheduler)


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=80), st.sampled_from(["#SBATCH ", "#PBS -l ", "#PBS ", "#BSUB ", "#BSUB -R "]))
def test_random_directives_never_crash_the_checker(text, magic):
    read_and_check(f"#!/bin/bash\n{magic}{text}\nhostname\n".encode(), None)


def check_spoiled_files(number: int, seed: int) -> None:
    """Checks ``number`` files with no-break blanks, curly quotes, carriage returns, UTF-16 and open brackets.

    The seed is fixed, so that a red run can be repeated; the file that failed is named in the message.
    """
    draw = random.Random(seed)
    for count in range(number):
        data = spoiled(draw.choice(FILES), draw)
        result = check_command.run("-", "--format", "json", stdin=data)
        assert not check_command.crashed(result), (count, data, result.exception)
        assert result.exit_code in (0, 1, 2), (count, data, result.exit_code)
        report = json.loads(result.stdout)
        assert report["verdict"] is None or report["verdict"] == "none" or report["verdict"] in VERDICTS, (count, data)


def test_three_hundred_spoiled_files_never_crash_the_command():
    check_spoiled_files(300, seed=1)


@pytest.mark.extensive
def test_ten_thousand_spoiled_files_never_crash_the_command():
    check_spoiled_files(10_000, seed=2)


# Above this many bytes the answer comes without a look at the body (issue 12).
BODY_LIMIT = 4_000_000
EMPTY_OR_ODD = {
    "empty": (b"", 1),
    "one newline": (b"\n", 1),
    "no newline at the end": (b"#!/bin/bash\n#SBATCH -N 2", 0),
    "carriage returns": (b"#!/bin/bash\r\n#SBATCH -N 2\r\n", 1),
    "utf-16": ("#!/bin/bash\n#SBATCH -N 2\n".encode("utf-16"), 1),
    "byte order mark": (b"\xef\xbb\xbf#!/bin/bash\n#SBATCH -N 2\n", 1),
    "binary": (bytes(range(256)) * 8, 2),
    "latin-1": (b"#!/bin/bash\n#SBATCH -J caf\xe9\n", 0),
    "10 MB": (b"#!/bin/bash\n#SBATCH -N 2\n" + b"echo 'some words'\n" * 580_000, 0),
    "10 MB on one line": (b"#!/bin/bash\n#SBATCH -N 2\necho " + b"x" * 10_000_000, 0),
    "10 MB of directives": (b"#!/bin/bash\n" + b"#SBATCH --time=10\n" * 580_000, 0),
}


@pytest.mark.parametrize("name", EMPTY_OR_ODD)
@pytest.mark.parametrize("form", ["text", "json"])
def test_odd_files_get_an_answer_and_the_right_exit_status(name, form, tmp_path):
    data, status = EMPTY_OR_ODD[name]
    path = tmp_path / "job.sbatch"
    path.write_bytes(data)
    started = time.process_time()
    result = check_command.run(path, "--format", form)
    assert not check_command.crashed(result), result.exception
    assert result.exit_code == status, result.output[:500]
    assert time.process_time() - started < PATIENCE_S
    if form == "json":
        assert json.loads(result.stdout)["file"] == str(path)


@pytest.mark.parametrize("kind", ["missing", "folder"])
def test_what_cannot_be_opened_is_unreadable_input(kind, tmp_path):
    path = tmp_path if kind == "folder" else tmp_path / "nothing.sbatch"
    result = check_command.run(path)
    assert result.exit_code == 2
    assert str(path) in result.output


@pytest.mark.parametrize("lines", [30, 200_000], ids=["small", "above 4 MB"])
def test_body_of_a_big_file_is_not_parsed_and_that_is_said(lines, tmp_path):
    """The directives are read in both; what the body does wrong is found only where it was read."""
    path = tmp_path / "job.sbatch"
    header = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --mem=16QB\n"
    path.write_text(header + "module cuda/12.4\n" + "echo $(( 1 << 3 )) 'some words'\n" * lines)
    started = time.process_time()
    report = check_command.report(path)
    assert time.process_time() - started < PATIENCE_S
    assert report["request"]["tasks"] == 8
    found = check_command.rules(report)
    big = path.stat().st_size > BODY_LIMIT
    assert "bad_mem_unit" in found
    assert ("module_line_without_command" in found) != big
    assert any("4 MB" in finding["message"] for finding in report["findings"]) == big


@pytest.fixture(scope="module")
def cpu_of(tmp_path_factory):
    """CPU time of a Python program in a process of its own; its modules are compiled, as in an installed package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}

    def run(*arguments: str | Path) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert result.returncode in (0, 1) and "Traceback" not in result.stderr, result.stderr
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


@pytest.fixture(scope="module")
def cpu_seconds(cpu_of):
    """CPU time of ``workshop check`` on files."""
    return lambda *paths: cpu_of("-m", "workshop", "check", *paths)


# What imports much the same amount of Python as ``workshop check`` and does nothing: it tells how fast the machine is.
YARDSTICK = "import yaml, json, argparse, email.message, http.client, inspect, typing, decimal"
YARDSTICK_S = 0.071  # the least of twelve on the machine for which the limit was set (Xeon, 2 cores, Python 3.11)


def test_a_thousand_files_in_ten_seconds(cpu_seconds, say):
    """All in one call and one process, the public ones and our own among them."""
    paths = [case["path"] for folder in CORPORA for case in cases(HERE / folder)]
    seconds = cpu_seconds(*(paths[number % len(paths)] for number in range(1000)))
    say(f"workshop check on 1,000 files: {seconds:.1f} s of CPU time")
    assert seconds <= 10


LAUNCHES = HERE / "cases_launch" / "rank_expanded_in_launcher_string_fires_5.sbatch"


@pytest.mark.parametrize(
    "path", [HERE / "cases" / "S57_rank_expanded_too_early.sh", LAUNCHES], ids=lambda path: path.name
)
def test_one_file_in_a_fifth_of_a_second(cpu_seconds, cpu_of, path):
    """The least of ten fresh processes; a machine on which the yardstick takes longer has more time in proportion."""
    pairs = [(cpu_seconds(path), cpu_of("-c", YARDSTICK)) for _ in range(10)]
    least, yardstick = map(min, zip(*pairs, strict=True))
    assert least <= 0.2 * max(1, yardstick / YARDSTICK_S), pairs
