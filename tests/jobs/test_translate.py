"""Translating keeps the request, and names what it loses."""

import re
import subprocess
from pathlib import Path

import pytest
from amount import examples
from case_reading import cases
from click.testing import CliRunner
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from workshop.cli.translate import command
from workshop.jobs.check import check
from workshop.jobs.model import Array, JobRequest, Memory, Signal
from workshop.jobs.parts.written import CannotWrite, dependencies, mail_kinds
from workshop.jobs.read import read_text
from workshop.jobs.translate import CannotTranslate, Translation, translate
from workshop.jobs.write import write
from workshop.paths import SCRIPTS

HERE = Path(__file__).parent
TARGETS = ("slurm", "pbs", "lsf")
ACCEPTED = [
    case
    for folder in ("cases", "cases_own")
    for case in cases(HERE / folder)
    if case["verdict"] == "accept" and not case.get("submit", "").startswith("bash")
]
FIELDS = [
    "job_name",
    "account",
    "partition",
    "qos",
    "constraint",
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
    "array",
    "exclusive",
    "signal",
    "requeue",
]
# A field follows from others: where one of them is named as lost, it may differ as well.
FOLLOWS = {
    "cpus_total": ("tasks", "nodes", "components"),
    "gpus_total": ("nodes", "components"),
    "tasks_per_node": ("nodes", "tasks"),
    "cpus_per_task": ("components",),
    "gpus_per_node": ("nodes", "gpus_total", "components"),
    "mem": ("components",),
}


def home(case: dict) -> str:
    return {"pbspro": "pbs", "torque": "pbs"}.get(case["scheduler"], case["scheduler"])


def lost_fields(*translations: Translation) -> set[str]:
    said = [loss for translation in translations for loss in (*translation.losses, *translation.changes)]
    return {field for loss in said for field in loss.fields}


def differences(before: JobRequest, after: JobRequest, lost: set[str]) -> list[str]:
    """Fields that the first request states and the second has otherwise, without being named as lost."""
    found = []
    for name in FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if name == "partition" and old and new:  # LSF writes several queues with blanks, Slurm with commas
            old, new = old.replace(" ", ","), new.replace(" ", ",")
        if old is None or old == new or name in lost or lost & set(FOLLOWS.get(name, ())):
            continue
        if (
            name == "array"
            and new
            and (old.first, old.last, old.count, old.max_running) == (new.first, new.last, new.count, new.max_running)
        ):
            continue
        found.append(f"{name}: {old} -> {new}")
    if "dependency" not in lost and dependencies(before.dependency) != dependencies(after.dependency):
        found.append(f"dependency: {before.dependency} -> {after.dependency}")
    if set(mail_kinds(before.mail_type)) != set(mail_kinds(after.mail_type)):
        found.append(f"mail: {before.mail_type} -> {after.mail_type}")
    return found


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["path"].name)
def test_there_and_back_keeps_the_request(case, to):
    if to == home(case):
        return
    try:
        there = translate(case["path"], to, case["scheduler"])
    except CannotTranslate as problem:
        assert "heterogeneous" in str(problem) or "how many" in str(problem), problem
        return
    middle = read_text(there.text, to)
    assert not check(middle).of("error"), there.text
    assert not differences(there.source.request, middle.request, lost_fields(there)), there.text
    try:
        back = translate(there.text, home(case), to)
    except CannotTranslate as problem:
        pytest.fail(f"{problem}\n{there.text}")
    again = read_text(back.text, home(case))
    assert not differences(there.source.request, again.request, lost_fields(there, back)), there.text + back.text


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["path"].name)
def test_every_loss_stands_in_the_script(case):
    for to in set(TARGETS) - {home(case)}:
        try:
            result = translate(case["path"], to, case["scheduler"])
        except CannotTranslate:
            continue
        for loss in result.losses:
            marks = [line for line in result.text.splitlines() if re.match(r"\s*# (?:NOT TRANSLATED|CHECK): ", line)]
            marked = [line for line in marks if loss.reason in line]
            assert marked, (loss, result.text)


BODIES = {
    ("slurm", "pbs"): {
        'cd "$SLURM_SUBMIT_DIR"': 'cd "$PBS_O_WORKDIR"',
        "echo ${SLURM_ARRAY_TASK_ID}": "echo ${PBS_ARRAY_INDEX}",
        "srun python train.py": 'mpiexec -n 4 --hostfile "$PBS_NODEFILE" python train.py',
        "srun --mpi=pmix -n 2 ./app --x 1": 'mpiexec -n 2 --map-by ppr:1:node --hostfile "$PBS_NODEFILE" ./app --x 1',
        "head=$(scontrol show hostnames $SLURM_NODELIST)": "head=$(awk '!seen[$0]++' \"$PBS_NODEFILE\")",
        "port=$((10000 + SLURM_JOB_ID % 20000))": "port=$((10000 + ${PBS_JOBID%%[!0-9]*} % 20000))",
        "export WORLD_SIZE=$SLURM_NTASKS": 'export WORLD_SIZE=$(wc -l < "$PBS_NODEFILE")',
    },
    ("pbs", "slurm"): {
        "cd $PBS_O_WORKDIR": "cd $SLURM_SUBMIT_DIR",
        "mpiexec -n 4 --hostfile $PBS_NODEFILE python train.py": "srun python train.py",
        "mpirun -np $(wc -l < $PBS_NODEFILE) ./app": "srun ./app",
        "mpirun --map-by ppr:2:node -np 2 ./app": "srun --nodes=1 --ntasks=2 ./app",
        "N=$(sort -u $PBS_NODEFILE | wc -l)": "N=$SLURM_NNODES",
        "qdel $PBS_JOBID": "scancel $SLURM_JOB_ID",
    },
    ("lsf", "slurm"): {
        "echo $LSB_JOBINDEX": "echo $SLURM_ARRAY_TASK_ID",
        "mpirun -np $LSB_DJOB_NUMPROC ./app": "srun ./app",
        "jsrun -n 4 -a 1 -g 1 -c 7 python train.py": "srun --cpus-per-task=7 --gpus-per-task=1 python train.py",
    },
    ("slurm", "lsf"): {
        "scontrol requeue $SLURM_JOB_ID": 'brequeue "$LSB_JOBID"',
        "srun -l ./app": 'mpirun -n 4 --hostfile "$LSB_DJOB_HOSTFILE" ./app',
    },
}
HEADERS = {
    "slurm": "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=2\n",
    "pbs": "#!/bin/bash\n#PBS -l select=2:ncpus=2:mpiprocs=2\n#PBS -l place=scatter\n",
    "lsf": '#!/bin/bash\n#BSUB -n 4\n#BSUB -R "span[ptile=2]"\n',
}
LINES = [(source, to, old, new) for (source, to), pairs in BODIES.items() for old, new in pairs.items()]


@pytest.mark.parametrize(("source", "to", "old", "new"), LINES)
def test_a_line_of_the_body_in_the_other_schedulers_words(source, to, old, new):
    result = translate(f"{HEADERS[source]}cd /tmp\n{old}\n", to, source)
    assert new in result.text.splitlines(), result.text


def test_a_line_without_counterpart_is_marked_with_the_reason():
    result = translate(HEADERS["slurm"] + "echo $SLURM_RESTART_COUNT\nsacct -j $SLURM_JOB_ID\n", "pbs", "slurm")
    marks = [line for line in result.text.splitlines() if line.startswith("# NOT TRANSLATED")]
    assert any("$SLURM_RESTART_COUNT" in line for line in marks), result.text
    assert any("sacct" in line for line in marks), result.text


def test_comments_of_slurm_directives_do_not_reach_pbs_lines():
    text = "#!/bin/bash\n#SBATCH --nodes=2  # two nodes\n#SBATCH --time=10  # minutes\nsrun hostname\n"
    result = translate(text, "pbs", "slurm")
    assert not [line for line in result.text.splitlines() if line.startswith("#PBS") and "# " in line[1:]]
    assert not check(read_text(result.text, "pbs")).of("error")


def test_a_late_lsf_directive_moves_to_the_top():
    result = translate(HERE / "cases" / "L07_directive_after_command.sh", "slurm")
    assert read_text(result.text, "slurm").request.account == "proj01"
    assert "#BSUB" not in result.text


def test_a_refused_script_is_not_translated():
    with pytest.raises(CannotTranslate, match="line 2"):
        translate("#!/bin/bash\n#SBATCH --time=1h\nhostname\n", "pbs")


def test_a_script_of_another_batch_system_is_not_translated():
    with pytest.raises(CannotTranslate, match="Grid Engine"):
        translate("#!/bin/bash\n#$ -pe smp 4\n#$ -l gpu=1\npython train.py\n", "pbs")


def test_command_prints_script_and_names_losses(tmp_path):
    path = tmp_path / "job.sbatch"
    path.write_text("#!/bin/bash\n#SBATCH --qos=high\n#SBATCH --time=10\nhostname\n")
    result = CliRunner().invoke(command, [str(path), "--to", "pbs"])
    assert result.exit_code == 0
    assert "#PBS -l walltime=00:10:00" in result.stdout
    assert "NOT TRANSLATED: '--qos=high': PBS has no QOS" in result.stderr


# Random requests survive write -> read.

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,12}", fullmatch=True)
BYTES = st.integers(1, 4000).map(lambda number: number * 1024**2) | st.integers(1, 500).map(lambda n: n * 1024**3)


@st.composite
def requests(draw, scheduler: str) -> JobRequest:
    """Requests that the scheduler can say without loss."""
    nodes = draw(st.integers(1, 64))
    per_node = draw(st.integers(1, 16))
    cpus = draw(st.integers(1, 16))
    gpus = draw(st.integers(0, 8))
    request = JobRequest(
        job_name=draw(st.none() | NAMES),
        account=draw(st.none() | NAMES),
        partition=draw(st.none() | NAMES),
        nodes=nodes,
        tasks=nodes * per_node,
        tasks_per_node=per_node,
        cpus_per_task=cpus,
        cpus_total=nodes * per_node * cpus,
        gpus_per_node=gpus,
        gpus_total=gpus * nodes,
        mem=draw(st.none() | BYTES.map(lambda value: Memory(value, "per_node"))),
        time_s=draw(st.none() | st.integers(1, 10000).map(lambda minutes: 60 * minutes)),
        exclusive=draw(st.booleans()),
        requeue=draw(st.none() | st.booleans()),
        dependency=draw(
            st.none() | st.lists(st.integers(1, 10**6), min_size=1, max_size=1).map(lambda ids: f"afterok:{ids[0]}")
        ),
        mail_type=draw(st.none() | st.sampled_from(["BEGIN", "END,FAIL", "BEGIN,END,FAIL"])),
    )
    if draw(st.booleans()):
        first, count, step = draw(st.integers(1, 50)), draw(st.integers(2, 50)), draw(st.integers(1, 5))
        last = first + (count - 1) * step
        indices = f"{first}-{last}" + (f":{step}" if step > 1 else "")
        request.array = Array(first, last, step, indices, draw(st.none() | st.integers(1, 9)), count)
    if scheduler == "slurm":
        request.qos, request.constraint = draw(st.none() | NAMES), draw(st.none() | NAMES)
        target = draw(st.sampled_from(["steps", "batch_shell"]))
        request.signal = draw(st.none() | st.builds(Signal, st.just("USR2"), st.integers(1, 600), st.just(target)))
    if scheduler == "lsf":
        request.signal = draw(st.none() | st.integers(1, 30).map(lambda n: Signal("USR2", 60 * n, "all")))
    return request


@pytest.mark.parametrize("scheduler", TARGETS)
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_requests_survive_write_and_read(scheduler, data):
    request = data.draw(requests(scheduler))
    written = write(request, scheduler)
    assert not written.losses
    script = read_text("\n".join(["#!/bin/bash", *written.lines, "hostname", ""]), scheduler)
    assert not script.problems, (written.lines, script.problems)
    assert not differences(request, script.request, {field for loss in written.changes for field in loss.fields})
    kept = ("nodes", "cpus_total", "gpus_total", "gpus_per_node")
    assert [getattr(request, name) for name in kept] == [getattr(script.request, name) for name in kept], written.lines


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), source=st.sampled_from(TARGETS), to=st.sampled_from(TARGETS))
def test_random_requests_lose_only_what_is_named(data, source, to):
    assume(source != to)
    request = data.draw(requests(source))
    try:
        written = write(request, to)
    except CannotWrite:
        return
    lost = {field for loss in (*written.losses, *written.changes) for field in loss.fields}
    script = read_text("\n".join(["#!/bin/bash", *written.lines, "hostname", ""]), to)
    assert not [problem for problem in script.problems if problem.severity == "error"], written.lines
    assert not differences(request, script.request, lost), written.lines


def test_bash_takes_every_translated_body():
    """What comes out is a shell script: bash -n finds no syntax error that was not there before."""
    for case in ACCEPTED:
        first = case["path"].read_text(encoding="utf-8").partition("\n")[0]
        if first.startswith("#!") and not re.search(r"\b(?:ba)?sh\b", first):
            continue
        for to in set(TARGETS) - {home(case)}:
            try:
                text = translate(case["path"], to, case["scheduler"]).text
            except CannotTranslate:
                continue
            result = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
            assert result.returncode == 0, (re.sub(r"\n", "\n  ", text), result.stderr)


@pytest.mark.parametrize("to", ["slurm", "lsf"])
def test_a_comment_goes_with_the_directive_that_is_switched_off(to):
    text = translate(SCRIPTS / "pbs" / "hello.pbs", to).text
    assert "your account" not in text
    assert "# EDIT: ncpus" in text
