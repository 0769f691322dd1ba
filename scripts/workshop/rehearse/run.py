"""Rehearse a job script: run its body on this machine as its scheduler would, without a scheduler."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from workshop import modules
from workshop.apptainer import tree
from workshop.jobs import Script, read_script
from workshop.jobs.check import check
from workshop.jobs.dialect import dialects
from workshop.rehearse import limits, names
from workshop.rehearse.base import SERVER, Run, Scheduler, mpi_environment
from workshop.rehearse.counter import counter_file, next_id
from workshop.rehearse.lsf import Lsf
from workshop.rehearse.pbs import Pbs, Torque
from workshop.rehearse.plan import CannotRehearse, Node, describe, nodes_of
from workshop.rehearse.slurm import Slurm

HERE = Path(__file__).parent
SCHEDULERS: dict[str, type[Scheduler]] = {"slurm": Slurm, "pbs": Pbs, "torque": Torque, "lsf": Lsf}
# Commands of schedulers that would act on real jobs: refused by name inside a rehearsal.
REFUSED = tuple(sorted({"seff"}.union(*(one.all_commands for one in dialects().values()))))
AT_ONCE = 2  # tasks of an array that run side by side
MAX_RESTARTS = 20
DEFAULT_WALLTIME_S = 3600.0  # for scripts that leave it to the site


@dataclass
class Rehearsal:
    """How a rehearsed job ended.

    Attributes:
        job_id: as the scheduler writes it. scheduler: ``slurm`` | ``pbs`` | ``torque`` | ``lsf``.
        exit_code: the number that the scheduler reports (PBS at its walltime: -29). exit_text: as its tools print it.
        state: the scheduler's word (Slurm COMPLETED, FAILED, TIMEOUT …; PBS F; LSF DONE, EXIT).
        log_paths: files that the scheduler would have left. stdout: what the script printed (stderr too where joined).
        timed_out: the walltime ended it. elapsed_s: seconds. restarts: how often it was requeued.
        tasks: of an array, each task's own result. submitted: jobs that the script submitted, rehearsed after it.
        notes: sentences about what went differently than a reader may think.
    """

    job_id: str
    scheduler: str
    exit_code: int
    state: str
    exit_text: str = ""
    log_paths: list[Path] = field(default_factory=list)
    stdout: str = ""
    timed_out: bool = False
    elapsed_s: float = 0.0
    restarts: int = 0
    tasks: list[Rehearsal] = field(default_factory=list)
    submitted: list[Rehearsal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Ended by itself with exit code 0 (what ``afterok`` asks)."""
        return self.exit_code == 0 and not self.timed_out


@dataclass
class Stage:
    """What all runs of one call of :func:`rehearse` share."""

    root: Path
    say: Callable[[str], None]
    live: bool
    prefix: str
    scale: float
    walltime_s: float | None
    walltime_from: Path | None = None
    known: dict[str, Rehearsal] = field(default_factory=dict)


def rehearse(
    path: str | Path,
    args: Sequence[str] = (),
    *,
    workdir: str | Path | None = None,
    scheduler: str | None = None,
    walltime_s: float | None = None,
    quiet: bool = True,
    nodes_prefix: str = "node",
    depth: int = 1,
    delay_scale: float = 1.0,
    walltime_from: str | Path | None = None,
    force: bool = False,
) -> Rehearsal:
    """Run a job script as its scheduler would, on this machine.

    Args:
        path: the script. args: words after it (Slurm only). workdir: folder of submission, default the current one.
        scheduler: ``slurm`` | ``pbs`` | ``torque`` | ``lsf``, default what the script's directives say.
        walltime_s: seconds until the limit, default the script's own. quiet: print nothing.
        nodes_prefix: beginning of the invented nodes' names. depth: how many jobs deep submissions are rehearsed.
        delay_scale: factor on the scheduler's own delays (Slurm KillWait, PBS kill_delay, LSF's ten minutes).
        walltime_from: a file (below ``workdir``): the walltime begins when it exists, not with the job. So a script
            can say when it is ready for signals.
        force: rehearse a script that its scheduler would refuse, too.

    Raises:
        CannotRehearse: the scheduler would refuse the script, or it needs what a rehearsal does not have; the message
            says what.
        OSError: the script cannot be read.
    """
    source = Path(path).resolve()
    script = read_script(source, scheduler, as_job=True)
    if not force:
        _stop_where_refused(script, source.name)
    root = Path(tempfile.mkdtemp(prefix="rehearse-"))
    workdir = Path(workdir or Path.cwd()).resolve()
    sign = workdir / walltime_from if walltime_from else None
    stage = Stage(root, (lambda text: None) if quiet else _say, not quiet, nodes_prefix, delay_scale, walltime_s, sign)
    base = _Submission(script, source, workdir, tuple(args), dict(os.environ))
    try:
        return _job(stage, base, next_id(counter_file()), depth)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _stop_where_refused(script: Script, name: str) -> None:
    """A job that no scheduler takes never runs: what it would do is of no use to anybody."""
    errors = check(script).of("error")
    if not errors or script.scheduler not in SCHEDULERS:
        return
    title = SCHEDULERS[script.scheduler].title
    found = [f"  line {one.line}: {one.message}" if one.line else f"  {one.message}" for one in errors]
    raise CannotRehearse(
        "\n".join([f"{name}: {title} would refuse this script, so it is not rehearsed.", *found])
        + f"\nMend it with the help of: workshop check {name}. To rehearse it as it is: --force"
    )


@dataclass
class _Submission:
    """One call of sbatch, qsub or bsub."""

    script: Script
    source: Path
    workdir: Path
    args: tuple[str, ...]
    environment: dict[str, str]
    extra: dict[str, str] = field(default_factory=dict)
    dependency: str | None = None


def _say(text: str) -> None:
    print(f"# {text}", flush=True)


def _job(stage: Stage, submission: _Submission, number: int, depth: int) -> Rehearsal:
    """One submitted job: all its tasks, then what it submitted."""
    script = submission.script
    scheduler = SCHEDULERS[script.scheduler]()
    nodes = nodes_of(script)
    for node, name in zip(nodes, names.node_names(len(nodes), stage.prefix), strict=True):
        node.name = name
    _introduce(stage, submission, scheduler, nodes)
    array = script.request.array
    if array is None:
        result = _one_run(stage, submission, scheduler, nodes, number, None, None, depth)
    else:
        result = _array(stage, submission, scheduler, nodes, number, depth)
    stage.known[str(number)] = result
    return result


def _introduce(stage: Stage, submission: _Submission, scheduler: Scheduler, nodes: list[Node]) -> None:
    script, article = submission.script, dialects()[scheduler.name].article
    stage.say(f"Rehearsal of {submission.source.name} as {article} {scheduler.title} job. No scheduler takes part.")
    stage.say(f"It asks for: {describe(script, nodes)}")
    for problem in script.problems:
        stage.say(f"{problem.severity}, line {problem.line}: {problem.message}")
    stage.say(f"It gets invented nodes on this machine: {', '.join(node.name for node in nodes)}")
    stage.say(f"Not imitated: {scheduler.not_imitated}.")
    for sentence in limits.sentences(script):
        stage.say(sentence)


def _array(
    stage: Stage, submission: _Submission, scheduler: Scheduler, nodes: list[Node], number: int, depth: int
) -> Rehearsal:
    array = submission.script.request.array
    indices = limits.array_indices(array)
    # Slurm gives every task a job of its own; the last one keeps the number of the array.
    numbers = (
        [next_id(counter_file()) for _ in indices[1:]] + [number]
        if scheduler.name == "slurm"
        else [None] * len(indices)
    )
    at_once = min(AT_ONCE, array.max_running or AT_ONCE)
    with ThreadPoolExecutor(at_once) as pool:
        runs = [
            pool.submit(_one_run, stage, submission, scheduler, nodes, number, index, own, depth)
            for index, own in zip(indices, numbers, strict=True)
        ]
        tasks = [run.result() for run in runs]
    worst = next((task for task in tasks if not task.ok), tasks[0])
    return Rehearsal(
        job_id=f"{number}[].{SERVER}" if scheduler.name in ("pbs", "torque") else str(number),
        scheduler=scheduler.name,
        exit_code=worst.exit_code,
        state=worst.state,
        exit_text=worst.exit_text,
        log_paths=[path for task in tasks for path in task.log_paths],
        stdout="".join(task.stdout for task in tasks),
        timed_out=any(task.timed_out for task in tasks),
        elapsed_s=sum(task.elapsed_s for task in tasks),
        tasks=tasks,
        submitted=[job for task in tasks for job in task.submitted],
        notes=[note for task in tasks for note in task.notes],
    )


def _one_run(
    stage: Stage,
    submission: _Submission,
    scheduler: Scheduler,
    nodes: list[Node],
    number: int,
    index: int | None,
    own_number: int | None,
    depth: int,
) -> Rehearsal:
    """One task, again after each requeue; then the jobs that it submitted."""
    submitted: list[Path] = []
    for restart in range(MAX_RESTARTS + 1):
        state = stage.root / f"{number}-{0 if index is None else index}-{restart}"
        run = Run(
            script=submission.script,
            source=submission.source,
            number=number,
            workdir=submission.workdir,
            state=state,
            nodes=nodes,
            index=index,
            restarts=restart,
            arguments=submission.args,
            submitter=submission.environment,
            extra=submission.extra,
            scale=stage.scale,
            walltime_s=stage.walltime_s,
            task_number=own_number,
        )
        result, again = _perform(stage, scheduler, run)
        submitted += sorted((state / "submitted").glob("*.json"))
        if not again:
            break
        stage.say(f"Job {result.job_id} was requeued: it starts again with the same id (restart {restart + 1})")
    result.restarts = restart
    if again:
        result.notes.append(f"Requeued {MAX_RESTARTS} times: the rehearsal ends here")
    for note in submitted:
        result.submitted.append(_submitted_job(stage, scheduler, note, result, depth))
    return result


def _perform(stage: Stage, scheduler: Scheduler, run: Run) -> tuple[Rehearsal, bool]:
    """Run the script once; says whether it is to be queued again."""
    run.state.mkdir(parents=True)
    (run.state / "submitted").mkdir()
    env = scheduler.environment(run) | modules.for_rehearsal(run.script.body, run.submitter)
    output, error = run.state / "stdout", run.state / "stderr"
    out_log, err_log = scheduler.logs(run)
    error = output if out_log == err_log else error
    limit = run.walltime_s or run.script.request.time_s or DEFAULT_WALLTIME_S
    _write_job_file(scheduler, run, env, output, error)
    _write_standins(scheduler, run)
    output.touch()
    error.touch()
    (run.state / "run.json").write_text(
        json.dumps(
            {
                "argv": _on_first_node(run, scheduler.command(run)),
                "env": env,
                "cwd": str(scheduler.start_folder(run)),
                "umask": scheduler.umask(run),
                "stdout": str(output),
                "stderr": str(error),
                "plan": scheduler.stop_plan(run, limit),
                "walltime_from": str(stage.walltime_from) if stage.walltime_from else None,
                "requeue_plan": scheduler.requeue_plan(run),
            }
        )
    )
    stage.say(f"Job {scheduler.job_id(run)} starts in {scheduler.start_folder(run)}; its limit is {limit:.0f} s")
    problem = scheduler.cannot_start(run)
    if problem:
        stage.say(problem)
        result = {"returncode": 1, "timed_out": False, "requeued": False, "cancelled": False, "elapsed_s": 0.0}
    else:
        result = _shepherd(stage, run, output)
    logs, notes = ([], [problem]) if problem else scheduler.deliver(run, output, error, result)
    outcome = scheduler.outcome(run, result)
    for note in notes:
        stage.say(note)
    stage.say(f"Job {scheduler.job_id(run)} ended: {outcome.state}, {outcome.text} after {result['elapsed_s']:.1f} s")
    stage.say("Logs: " + (", ".join(map(str, logs)) or "none"))
    rehearsal = Rehearsal(
        job_id=scheduler.job_id(run),
        scheduler=scheduler.name,
        exit_code=outcome.exit_code,
        state=outcome.state,
        exit_text=outcome.text,
        log_paths=logs,
        stdout=output.read_text(errors="replace"),
        timed_out=result["timed_out"],
        elapsed_s=result["elapsed_s"],
        notes=notes,
    )
    again = result["requeued"] or (isinstance(scheduler, Lsf) and scheduler.requeues_itself(run, result))
    return rehearsal, again


def _on_first_node(run: Run, argv: list[str]) -> list[str]:
    way = names.way_in()
    if way is None:
        return argv
    hosts = run.state / "hosts"
    names.write_hosts(hosts, [node.name for node in run.nodes] + [SERVER])
    return [*names.enter_command(way, str(hosts), run.nodes[0].name), *argv]


def _write_job_file(scheduler: Scheduler, run: Run, env: dict[str, str], output: Path, error: Path) -> None:
    """``STATE/job.json``: what the stand-ins know of the job."""
    way = names.way_in()
    enter = {node.name: names.enter_command(way, "", node.name) for node in run.nodes} if way else {}
    facts = {
        "scheduler": scheduler.name,
        "job_id": scheduler.job_id(run),
        "raw_id": str(run.number),
        "name": run.name,
        "server": SERVER,
        "nodes": [vars(node) for node in run.nodes],
        "whole_nodes": bool(run.script.request.exclusive),
        "enter": enter,
        "stdout": str(output),
        "stderr": str(error),
        "mpi_environment": mpi_environment(run),
        "task_environment": scheduler.task_environment(run, env) if isinstance(scheduler, Pbs) else {},
        "new_id": [sys.executable, "-E", "-s", "-S", str(HERE / "counter.py"), str(counter_file())],
    }
    (run.state / "job.json").write_text(json.dumps(facts))


def _write_standins(scheduler: Scheduler, run: Run) -> None:
    """Small programs in ``STATE/bin``, first in PATH."""
    run.bin.mkdir()
    play = [command for command in scheduler.standins if command != "ssh" or names.way_in() or shutil.which("mpirun")]
    play += [command for command in ("mpirun", "mpiexec") if shutil.which(command) is None]
    play += [command for command in REFUSED if command not in scheduler.standins]
    if names.way_in() is None:
        play.append("hostname")
    main = HERE / "standins" / "main.py"
    for command in play:
        program = run.bin / command
        words = shlex.join([sys.executable, "-E", "-s", "-S", str(main), str(run.state), command])
        program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        program.chmod(0o755)
    apptainer = tree.find()
    if apptainer:  # a real one; it may lie where a job's PATH does not look
        (run.bin / "apptainer").symlink_to(apptainer)


def _shepherd(stage: Stage, run: Run, output: Path) -> dict:
    """Run the job in a process of its own (see shepherd.py) and show its output as it comes."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}  # it needs psutil from where we have it
    argv = [sys.executable, str(HERE / "shepherd.py"), str(run.state)]
    process = subprocess.Popen(argv, env=env, start_new_session=True)
    shown = 0
    try:
        while True:
            over = process.poll() is not None
            if stage.live:
                shown = _show_from(output, shown)
            if over:
                break
            time.sleep(0.02)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    result = run.state / "result.json"
    if not result.is_file():
        raise RuntimeError(f"The process that runs the job ended with status {process.returncode} and no result.")
    return json.loads(result.read_text())


def _show_from(output: Path, shown: int) -> int:
    with output.open("rb") as log:
        log.seek(shown)
        new = log.read()
    sys.stdout.write(new.decode(errors="replace"))
    sys.stdout.flush()
    return shown + len(new)


def _submitted_job(stage: Stage, scheduler: Scheduler, note: Path, parent: Rehearsal, depth: int) -> Rehearsal:
    """Rehearse a job that the script submitted, if its dependency allows and the depth does."""
    facts = json.loads(note.read_text())
    ticket = facts["ticket"]
    shown = f"{ticket}.{SERVER}" if scheduler.name in ("pbs", "torque") else ticket
    stage.known[re.sub(r"\D.*", "", parent.job_id)] = parent
    if depth < 1:
        text = f"Job {shown} was submitted by a submitted job: not rehearsed, that deep it stops"
        stage.say(text)
        return Rehearsal(shown, scheduler.name, 0, "NOT REHEARSED", notes=[text])
    source = Path(facts["script"])
    submission = _Submission(
        read_script(source, scheduler.name, as_job=True),
        source,
        Path(facts["cwd"]),
        tuple(facts["arguments"]),
        facts["environment"],
    )
    _apply_options(stage, submission, facts["options"])
    try:
        _stop_where_refused(submission.script, source.name)
    except CannotRehearse as problem:
        stage.say(f"Job {shown}: {problem}")
        return Rehearsal(shown, scheduler.name, 1, "REFUSED", notes=[str(problem)])
    waiting = _unmet(stage, submission)
    if waiting:
        stage.say(f"Job {shown}: {waiting}")
        return Rehearsal(shown, scheduler.name, 0, "NOT STARTED", notes=[waiting])
    stage.say(f"Job {shown} was submitted by the script and is rehearsed now")
    return _job(stage, submission, int(ticket), depth - 1)


def _apply_options(stage: Stage, submission: _Submission, options: list[str]) -> None:
    """The options of the submission's command line that a rehearsal knows; the others are named."""
    words = [part for option in options for part in (option.split("=", 1) if option.startswith("--") else [option])]
    handlers: dict[str, Callable[[str], None]] = {
        "--dependency": partial(setattr, submission, "dependency"),
        "-d": partial(setattr, submission, "dependency"),
        "-W": partial(setattr, submission, "dependency"),
        "-w": partial(setattr, submission, "dependency"),
        "-v": lambda value: submission.extra.update(_pairs(value)),
        "--export": lambda value: submission.extra.update(_pairs(value)),
        "--job-name": partial(setattr, submission.script.request, "job_name"),
        "-N": partial(setattr, submission.script.request, "job_name"),
        "-J": partial(setattr, submission.script.request, "job_name"),
        "--kill-on-invalid-dep": lambda value: None,
    }
    while words:
        option = words.pop(0)
        if option in ("--parsable", "-ti"):
            continue
        handler = handlers.get(option)
        value = words.pop(0) if words and not words[0].startswith("-") else ""
        if handler is None:
            stage.say(f"Option {option} {value} of the submission is not rehearsed")
        else:
            handler(value)


def _pairs(value: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in value.split(",") if "=" in item)


def _unmet(stage: Stage, submission: _Submission) -> str | None:
    """Why a dependent job does not start; None where it may."""
    text = submission.dependency or ""
    pattern = r"(afterok|afterany|afternotok|after|done|ended|exit|started)[:(]\"?([\d:.\[\]a-z]+)"
    for kind, listed in re.findall(pattern, text):
        for number in re.findall(r"\d+", listed):
            job = stage.known.get(number)
            if job is None:
                return f"depends on job {number}, which this rehearsal does not know: it would wait or be refused"
            if kind in ("afterok", "done") and not job.ok:
                return f"depends on success of job {number}, which ended with {job.exit_text}: it never starts"
            if kind in ("afternotok", "exit") and job.ok:
                return f"depends on failure of job {number}, which succeeded: it never starts"
    return None
