"""Each page typed from top to bottom by an ordinary user, from what it shows; what differs in not_typed.yml is listed.

Sessions that are typed here do not run on their own (test_sessions.py).
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import reader
from machine_parts import missing_programs

from workshop.apptainer import images
from workshop.book import sessions
from workshop.book.toc import pages
from workshop.cluster import ClusterError, versions
from workshop.paths import REPO

LISTED = reader.listed()
# Each page with its sessions in the order in which they stand there.
INPUTS = [[page, *reader.typed_on(page)] for page in pages() if reader.typed_on(page)]


@pytest.fixture(scope="session")
def someone(require, job_ids):
    """Somebody with a practice cluster of their own, with accounting where this machine has it."""
    require("slurm")
    with reader.a_reader(accounting=not missing_programs("accounting")) as found:
        yield found


@pytest.fixture
def at_a_page(someone):
    """The same one; at the end nothing of a page is left on the cluster."""
    yield someone
    someone.leave()
    someone.free_cluster()


def lacks(session) -> bool:
    """Whether this machine lacks a part that the session needs; a newer Slurm is fetched once."""
    if version := sessions.slurm_of(session):
        try:
            versions.install(version)
        except ClusterError:
            return True
    return any(missing_programs(part) for part in sessions.needs(session) if not part.startswith("Slurm "))


def have_images(found: list) -> None:
    """Build the images that these sessions use, as an administrator has: only root can here."""
    if not missing_programs("apptainer"):
        for name in re.findall(r"workshop apptainer image ([\w-]+)", "".join(one.read_text() for one in found)):
            images.image(name)


@pytest.mark.needs_slurm
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["clusters_sinfo", "jobs_in_depth_time_limit"])
def test_what_is_folded_is_typed_in_a_new_terminal(at_a_page, name):
    """From a login shell in the home folder, by the lines of the page alone; nothing of it stays in that shell."""
    at_a_page.open_page(REPO / "book" / "clusters.md")
    session = reader.path_of(name)
    typed = reader.commands(session)
    marks = [f"echo end-of-{number}" for number in range(len(typed))]
    lines = [
        sessions.first(session),
        "echo begin",
        *(f"{one.command}\n{mark}" for one, mark in zip(typed, marks, strict=True)),
    ]
    after = ["exit", "pwd", "type -t cat scancel"]
    # No environment is active yet: neither `workshop` nor `python` is there.
    environment = at_a_page.environment | {"PATH": "/usr/local/bin:/usr/bin:/bin", "COLUMNS": "1000"}
    terminal = at_a_page.as_user(["bash"])
    done = subprocess.run(
        terminal, input="\n".join([*lines, *after]), text=True, env=environment, cwd=at_a_page.home,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=550,
    )  # fmt: skip
    # The practice cluster's shell is one for a person: it shows its prompts and what is typed at them.
    said = re.sub(r"^(?:\(practice\) [^\n]*\$ |> )[^\n]*\n", "", done.stdout, flags=re.M)
    _, begun, rest = said.partition("begin\n")
    assert begun, done.stdout
    for one, mark in zip(typed, marks, strict=True):
        printed, _, rest = rest.partition(f"{mark.removeprefix('echo ')}\n")
        expected = [line for line in one.expected if not re.fullmatch(r"  \[\d+\]", line)]
        assert reader.fits(expected, [f"  {line}" for line in printed.splitlines()], at_a_page.home), done.stdout
    assert rest.splitlines()[-3] == str(at_a_page.clone), done.stdout
    assert rest.splitlines()[-2:] == ["file", "file"], done.stdout


@pytest.mark.needs_slurm
@pytest.mark.slow
@pytest.mark.timeout(2400)  # reader.END_S ends what hangs
@pytest.mark.parametrize("page", INPUTS, ids=lambda files: files[0].stem)
def test_page_is_typed(at_a_page, require, after, say, page):
    """In one shell for each place; blocks whose parts this machine lacks are left out, and named."""
    if any("apptainer" in sessions.needs(session) for session in page[1:]):
        after("containers/")  # it installs Apptainer where that is possible
        have_images(page[1:])
        at_a_page.find_apptainer()
    at_a_page.open_page(page[0])
    left_out = []
    for session in page[1:]:
        if lacks(session):
            left_out.append(session)
            continue
        problems = at_a_page.type_block(session)
        assert not problems, "\n".join([f"{session.name}, typed on {page[0].name}:", *problems])
    assert at_a_page.untracked() == [], f"{page[0].name} leaves names that git does not ignore: call them my_…"
    for session in left_out:
        for part in sessions.needs(session):
            if reader.LACKS_FAIL and not part.startswith("Slurm "):
                require(part)
    if left_out:
        say(f"not typed on {page[0].name}, since this machine lacks what they need: {[one.stem for one in left_out]}")


def test_every_block_is_typed_or_listed_with_its_reason(say):
    """All are counted; the share of those that are typed may rise, never fall."""
    shown = {name for page in pages() for name in reader.blocks(page)}
    reasons = set(reader.reasons())
    assert not set(LISTED) - shown, "listed, and on no page"
    assert set(LISTED.values()) == reasons, "reasons without a session, or sessions without a reason"
    share = 1 - len(LISTED) / len(shown)
    say(f"console sessions typed from what the pages show: {len(shown) - len(LISTED)} of {len(shown)} ({share:.0%})")
    assert share >= 0.9


@pytest.mark.needs_slurm
@pytest.mark.extensive
@pytest.mark.timeout(600)
@pytest.mark.parametrize("session", [reader.path_of(name) for name in LISTED], ids=lambda path: path.stem)
def test_listed_block_cannot_be_typed(at_a_page, require, session):
    """Typed alone it differs from what the page shows: else it need not be listed."""
    for part in sessions.needs(session):
        if not part.startswith("Slurm "):
            require(part)
    at_a_page.open_page(session)
    assert at_a_page.type_block(session, patience=5), f"{session.name} can be typed: take it off not_typed.yml"


def test_the_reader_is_the_person_of_the_course():
    """Programs that ask the machine are told so, in the folder in which they start; elsewhere nothing changes."""
    before = Path("/etc/passwd").read_text()
    person = reader.Reader(accounting=False)
    try:
        asked = person.as_user(["bash", "-c", "whoami; id --group --name; pwd; stat --format=%U ."])
        options = {"cwd": person.home, "env": person.environment, "capture_output": True, "text": True}
        name, group, folder, owner = subprocess.run(asked, **options, check=True).stdout.splitlines()
        assert name == owner == person.environment["USER"] and folder == str(person.home)
        if os.geteuid() == 0:
            assert name == group == reader.PERSON
        assert subprocess.run(person.as_user(["false"]), **options).returncode == 1
    finally:
        person.gone()
    assert Path("/etc/passwd").read_text() == before


def test_a_receipt_knows_what_a_page_s_programs_open(tmp_path, monkeypatch):
    """In the reader's clone, or in the project itself: `workshop exercise` reads there, and no page names the files."""
    monkeypatch.setenv("WORKSHOP_TRACE", str(tmp_path / "trace"))
    monkeypatch.setenv("WORKSHOP_TRACE_REPO", str(REPO))
    person = reader.Reader(accounting=False)
    try:
        program = person.clone / "scripts" / "train" / "data.py"
        program.parent.mkdir(parents=True)
        program.write_text(f"open('scripts/train/data.py'), open({str(REPO / 'README.md')!r}), open('my_own', 'w')")
        argv = person.as_user([sys.executable, "scripts/train/data.py"])
        subprocess.run(argv, cwd=person.clone, env=person.environment, check=True)
        told = {line.replace(str(REPO), "REPO") for line in (tmp_path / "trace").read_text().splitlines()}
    finally:
        person.gone()
    assert told == {"REPO/scripts/train/data.py", "REPO/README.md"}, "what is only written is no input"


def test_a_command_that_looks_changes_nothing():
    """Only these are typed again until they fit."""
    looks = ["squeue --me", "cat a.out | head -n 3", "scontrol show job $job | grep -oE 'a|b>c'", "ls runs/*"]
    looks += ["for job in $a $b; do\n  scontrol show job $job | paste -s\ndone", "sed -n '1p;$p' a.out", "wc -l < a"]
    acts = ["sbatch a", "echo a > b", "sed -i s/a/b/ c", "cat > a << 'END'\nb\nEND", "scontrol update jobid=1 x=y"]
    acts += ["job=$(squeue --me)", "ls; rm a", "scancel $job", "git commit", "ssh c1 hostname", "cat a | tee b"]
    assert [one for one in looks if not reader.Typed(one).only_looks] == []
    assert [one for one in acts if reader.Typed(one).only_looks] == []


def test_ranks_whose_errors_a_page_compares_outlive_torchrun_s_signal(tmp_path):
    """Only these, and the command's exit code is its own."""
    (tmp_path / "rank.py").write_text("import signal, sys; print(signal.getsignal(signal.SIGTERM).name); sys.exit(3)")
    shell = reader.Shell([], tmp_path, os.environ | {"RANK": "0"})
    run = f"{sys.executable} rank.py"
    typed = [f"{run} \\\n  --monitor-interval=3", run]
    assert [shell.type(reader.Typed(one)) for one in typed] == [["  SIG_IGN", "  [3]"], ["  SIG_DFL", "  [3]"]]
    shell.close()


def test_a_block_that_does_not_fit_is_told(tmp_path):
    """Wrong output, a missing line and a wrong exit code all differ; a pattern and the home folder fit."""
    assert reader.fits(["  a", r"  \d+ (re)"], ["  a", "  12"], tmp_path)
    assert reader.fits(["  ~/x"], [f"  {tmp_path}/x"], tmp_path)
    for wrong in (["  a"], ["  a", "  b"], ["  a", "  12", "  [1]"]):
        assert not reader.fits(["  a", r"  \d+ (re)"], wrong, tmp_path)


def test_srun_may_say_that_a_step_had_to_wait(tmp_path):
    """Its lines of a step that follows another come or not; one that a page shows must come."""
    notes = [
        "  srun: Step created for StepId=7070.2",
        "  srun: Job 12 step creation temporarily disabled, retrying (x)",
    ]
    for note in notes:
        assert reader.fits(["  a", "  b"], ["  a", note, "  b"], tmp_path)
        assert not reader.fits(["  a", note], ["  a"], tmp_path)
        assert reader.fits(["  a", note], ["  a", note], tmp_path)
    expected = [r"  srun: Step created for StepId=\d+.1 (re)", "  side by side"]
    assert reader.fits(expected, ["  srun: Step created for StepId=7.1", notes[0], "  side by side"], tmp_path)
    assert not reader.fits(["  a"], ["  a", "  srun: error: Unable to create step for job 7: x"], tmp_path)


def test_sessions_are_looked_up_where_they_lie():
    assert {path.parent for files in INPUTS for path in files[1:]} == {REPO / "tests" / "sessions"}
