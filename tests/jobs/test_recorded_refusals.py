"""What the recorded qsub and bsub refused, ``workshop check`` refuses as well, unless it depends on the site."""

from pathlib import Path

import pytest
from jobfiles import KEYWORDS

from workshop.book import records
from workshop.jobs.check import check
from workshop.jobs.model import REJECT, VERSION
from workshop.jobs.read import read_script

SCHEDULERS = {"qsub": "pbs", "bsub": "lsf"}
# Recording -> lines of commands and answers.
REFUSALS = {
    "pbs/04_error_texts.txt": "2-3, 17-18, 47-48, 50-51, 83-84, 89-90, 151-152",
    "lsf/02_error_texts.txt": "11-12, 68-69, 71-72, 174-175",
}
COMMANDS = [
    (line, answer)
    for name, lines in REFUSALS.items()
    for block in [records.shown(records.FOLDER / name, lines).replace(records.CUT + "\n", "").split("\n")]
    for line, answer in zip(block[::2], block[1::2], strict=True)
]


@pytest.mark.parametrize(("line", "answer"), COMMANDS, ids=[line.removeprefix("$ ") for line, _ in COMMANDS])
def test_check_refuses_it_too(tmp_path: Path, line: str, answer: str):
    program, *options, _ = line.removeprefix("$ ").split()
    scheduler = SCHEDULERS[program]
    script = tmp_path / "s.sh"
    script.write_text(f"#!/bin/bash\n{KEYWORDS[scheduler]} {' '.join(options)}\n\necho hi\n")
    # hosts=2 is refused by the recorded relative of LSF; IBM's versions differ.
    expected = VERSION if "hosts=2" in line else REJECT
    assert check(read_script(script, scheduler)).verdict == expected, answer


def test_a_comment_behind_a_directive_is_refused_in_qsubs_words(tmp_path: Path):
    *script, _, answer = records.shown(records.FOLDER / "pbs/05_directives.txt", "189-194").split("\n")
    path = tmp_path / "s.sh"
    path.write_text("\n".join(line.removesuffix("$") for line in script) + "\n")
    report = check(read_script(path, "pbs"))
    assert report.verdict == REJECT
    assert answer.removeprefix("rc=1 ").strip() in " ".join(finding.message for finding in report.findings)
