"""What `fill` must never do: lose a command of the body that starts something, or words of its program."""

import os
import re
import subprocess
from collections import Counter

import pytest
from jobfiles import ENDINGS, scripts_of

from workshop import sites
from workshop.jobs.read import read_script
from workshop.paths import SCRIPTS
from workshop.sites.fill import CannotFill, fill

# Sites with Torque are left out: the course has no scripts for it, and fill refuses those of PBS there.
PAIRS = [(path, site) for site in sites.all_sites() if site.scheduler in ENDINGS for path in scripts_of(site.scheduler)]
LAUNCHER = r"(?:srun|mpirun|mpiexec|pbsdsh|blaunch|jsrun)\b"
STARTS = re.compile(rf"{LAUNCHER}|\b(?:torchrun|python\d?|accelerate|apptainer|tar|sbatch|qsub|bsub|scontrol)\b")
# From a launcher, its options included, up to the program; what the launch stands in (NAME=$( … )) is its frame.
FRAME = re.compile(rf"^\s*(?:\w+=\$\()?{LAUNCHER}.*?(?=/bin/bash|\"\$\(command -v python\)\"|torchrun|python|tar )")


STARTS_NOTHING = ("hello", "dependency")  # only the shell's own and system commands


def launches(body: str) -> Counter[str]:
    """The commands that start something; of a launched one the program with its arguments, and what follows it."""
    lines = re.sub(r"\s*\\\n\s*", " ", body).splitlines()
    found = [line for line in lines if STARTS.search(line.partition(" # ")[0]) and not line.lstrip().startswith("#")]
    found = [line for line in found if not re.match(r"\s*(module|ml|source|conda|master|MASTER_ADDR)\b", line)]
    return Counter(program(line) for line in found)


def program(line: str) -> str:
    line = re.sub(r"\)(?=$|\s*\|\| status)", "", line) if re.match(r"\s*\w+=\$\(pbsdsh", line) else line
    return FRAME.sub("LAUNCHED ", line).replace("bash -lec", "bash -ec").strip()


def body_of(text: str, scheduler: str) -> str:
    script = read_script(text, scheduler)
    return "\n".join(script.text.splitlines()[script.body_line - 1 :])


@pytest.mark.parametrize(("path", "site"), PAIRS, ids=[f"{path.stem}-{site.name}" for path, site in PAIRS])
def test_every_launch_of_every_script_survives_at_every_site(path, site):
    before = body_of(path.read_text(), site.scheduler)
    try:
        filled = fill(path, site, saved_as=path.relative_to(SCRIPTS.parent)).text
    except CannotFill:
        return  # nothing is written where the job does not fit; test_fill.py asks whether the reason is true
    after = body_of(filled, site.scheduler)
    assert launches(before) or path.stem in STARTS_NOTHING
    assert launches(after) == launches(before)
    launchers = Counter(re.findall(LAUNCHER, before))
    if site.get("launcher.multi_node") == "mpiexec-pals":
        assert "mpiexec" in after or not launchers
    else:
        assert Counter(re.findall(LAUNCHER, after)) == launchers


TRAINS = {"ddp_multi_node": "ddp.py", "ddp_multi_node_mpirun": "ddp.py", "project_train": "ddp_resume.py"}
# HPE PALS' mpiexec: knows these options and no others, starts the program N times, and ends with the worst status.
PALS = """#!/bin/bash
while [[ $1 == -* ]]; do
    case $1 in
        -n) ranks=$2; shift 2 ;;
        --ppn | --cpu-bind) shift 2 ;;
        --depth=*) shift ;;
        *) echo "mpiexec: unknown option $1" >&2; exit 2 ;;
    esac
done
worst=0
for ((rank = 0; rank < ranks; rank++)); do
    PALS_RANKID=$rank "$@" || worst=$?
done
exit "$worst"
"""
RECORDER = '#!/bin/bash\nprintf "%s\\n" "${0##*/} $*" >> "$STARTED"\nexit "${TRAINING_ENDS:-0}"\n'
ORDINARY = "module() { :; }\nconda() { :; }\nexport -f module conda\n"


@pytest.fixture
def polaris(tmp_path):
    """Run a script filled for Polaris with stand-ins of its mpiexec and the training: (exit status, what started)."""
    site = sites.load_site("polaris")
    programs, project = tmp_path / "bin", tmp_path / "project"
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "activate").touch()
    (project / "data").mkdir()
    (project / "data" / "digits").mkdir()
    subprocess.run(["tar", "--create", "--file=digits.tar", "digits"], cwd=project / "data", check=True)
    programs.mkdir()
    for name in ("mpiexec", "torchrun", "python"):
        (programs / name).write_text(PALS if name == "mpiexec" else RECORDER)
        (programs / name).chmod(0o755)
    nodes, started = tmp_path / "nodes", tmp_path / "started"

    def run(stem: str, ranks: int, training_ends: int) -> tuple[int, list[str]]:
        text = fill(SCRIPTS / "pbs" / f"{stem}.pbs", site).text.replace("/local/scratch", str(tmp_path))
        text = text.replace("#!/bin/bash -l", "#!/bin/bash").replace(
            "/bin/bash -lec", "/bin/bash -ec"
        )  # our PATH stays
        nodes.write_text("".join(f"node{rank}\n" for rank in range(ranks)))
        started.write_text("")
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        told = {"PBS_NODEFILE": nodes, "PBS_O_WORKDIR": project, "PBS_JOBID": "7.server", "STARTED": started}
        told |= {"PATH": path, "TRAINING_ENDS": training_ends, "HOME": tmp_path, "OMP_NUM_THREADS": 1}
        env = {name: str(value) for name, value in told.items()}
        done = subprocess.run(["bash", "-c", ORDINARY + text], env=env, cwd=project, capture_output=True, text=True)
        return done.returncode, started.read_text().splitlines()

    return run


@pytest.mark.parametrize("stem", TRAINS)
def test_a_job_filled_for_polaris_trains_and_ends_as_its_training_did(polaris, stem):
    ranks = 4 if stem.endswith("mpirun") else 2
    status, started = polaris(stem, ranks, training_ends=0)
    trained = [line for line in started if TRAINS[stem] in line]
    assert (status, len(trained)) == (0, ranks), started
    assert polaris(stem, ranks, training_ends=3)[0] != 0, "a failed training must end the job with a failure"


def pbs(*lines: str) -> str:
    head = "#!/bin/bash\n#PBS -q gpu\n#PBS -l select=2:ncpus=4:ngpus=1:mem=8gb\n#PBS -l walltime=00:15:00\n\n"
    return head + "\n".join(lines) + "\n"


def test_each_of_several_launches_is_replaced():
    """Polaris has no mpirun: one that stayed would end the job in its middle."""
    site = sites.load_site("polaris")
    filled = fill(pbs("mpirun python prepare.py", "mpirun -np 2 python train.py", "mpirun python train.py"), site)
    body = body_of(filled.text, "pbs")
    assert "mpirun" not in body and body.count("mpiexec -n") == 3
    assert re.findall(r"python \w+\.py", body) == ["python prepare.py", "python train.py", "python train.py"]
    assert len([note for note in filled.notes if "mpirun was replaced" in note]) == 1
    assert fill(filled.text, site).text == filled.text


ACTIVATE = "source .venv/bin/activate"


@pytest.mark.parametrize(
    "lines",
    [
        ["module load python && python prepare.py", ACTIVATE, "python train.py"],
        ["module load python; python prepare.py", ACTIVATE],
        ["place=$TMPDIR; python prepare.py", ACTIVATE],
        ["report=$(pbsdsh -- ./a)", 'echo "$report"', "report=$(pbsdsh -- ./b)", 'echo "$report"', "python last.py"],
        ["pbsdsh -- ./prepare", "report=$(pbsdsh -- ./a)", 'echo "$report" && python next.py'],
        ["mpirun -np 2 python train.py -n 64 -x 3 y"],
    ],
    ids=lambda lines: lines[0],
)
def test_what_stands_beside_a_changed_word_is_not_lost(lines):
    try:
        text = fill(pbs(*lines), sites.load_site("polaris")).text
    except CannotFill as reason:
        assert "pbsdsh" in str(reason)
        return
    for words in re.findall(r"python \w+\.py[^&;|\n]*|\./\w+", "\n".join(lines)):
        assert words.strip(") ") in text
