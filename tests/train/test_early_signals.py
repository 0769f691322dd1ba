"""A stop signal that comes while a training starts: before anybody listens, it waits, and is heard later."""

import ast
import os
import re
import signal
import socket
import subprocess

import pytest

import restart
import train_forks
import train_hold
from train_running import TRAIN, Job, clean_environment, command

PROGRAMS = ["ddp_resume", "ddp_fast", "fsdp"]
LIMIT_S = 120
FEW = ("--samples", 100, "--batch-size", 20, "--epochs", 2, "--timeout", 60)


def first_statements(program: str, count: int) -> str:
    """The source of the first statements after the docstring."""
    source = (TRAIN / f"{program}.py").read_text()
    return "\n".join(ast.unparse(node) for node in ast.parse(source).body[1 : 1 + count])


@pytest.mark.parametrize("program", PROGRAMS)
def test_signals_wait_from_the_first_line_on(program):
    lines = first_statements(program, 2).splitlines()
    assert lines[:2] == ["import signal", "if __name__ == '__main__':"]
    names = re.findall(r"signal\.(SIG[A-Z0-9]+)", lines[2].split("SIG_BLOCK", 1)[1])
    assert tuple(getattr(signal, name) for name in names) == restart.STOP_SIGNALS


def test_a_signal_while_pytorch_is_imported_leaves_a_marker(tmp_path):
    words = command("ddp_resume.py", *FEW)
    words[1:1] = ["-X", "importtime"]  # a line on stderr when a module has been imported
    with open(tmp_path / "out", "w") as out:
        process = subprocess.Popen(
            words, cwd=tmp_path, env=clean_environment(), stdout=out, stderr=subprocess.PIPE, text=True
        )
    try:
        imported = next(line for line in process.stderr if re.search(r"\| +torch\.", line))
        process.send_signal(signal.SIGTERM)
        _, rest = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, rest[-2000:]
    assert re.search(r"\| torch$", rest, re.MULTILINE), f"{imported} was not inside the import of PyTorch"
    assert (tmp_path / "runs" / "ddp_resume" / "REQUEUE").read_text() == "SIGTERM at step 0\n"
    assert "result: " not in (tmp_path / "out").read_text()


def test_a_signal_ends_torchrun_as_long_as_it_has_no_ranks(tmp_path):
    """It waits for a second node here."""
    keeper = train_forks.keep_port()
    words = command("ddp_resume.py", *FEW, ranks=1)
    where = ["--nnodes=2", "--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{train_forks.port_of(keeper)}"]
    words[words.index("--standalone") : words.index("--standalone") + 1] = where
    run = Job(words, tmp_path, None, [tmp_path / "log"])
    try:
        run.wait_for(lambda: answers(int(train_forks.port_of(keeper))), LIMIT_S)
        run.signal(signal.SIGTERM)
        assert run.wait(LIMIT_S) == -signal.SIGTERM, run.said()
    finally:
        run.end()
    assert not (tmp_path / "runs").exists()


def answers(port: int) -> bool:
    """Does anybody listen at this port?"""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_signal_before_anybody_listens_stops_all_ranks_before_the_first_step(forks, train, tmp_path, program):
    signs = tmp_path / "signs"
    signs.mkdir()
    streams, hold = [tmp_path / "log"], train_hold.before_listening(signs)
    run = forks.start(f"{program}.py", *FEW, ranks=2, cwd=tmp_path, streams=streams, before=hold)
    run.wait_for(lambda: all((signs / f"held-{rank}").exists() for rank in range(2)), LIMIT_S)
    run.signal(1, signal.SIGTERM)
    (signs / "go").touch()
    assert run.wait(LIMIT_S) == [0, 0], run.said()
    folder = tmp_path / "runs" / program
    assert (folder / "REQUEUE").read_text() == "SIGTERM at step 0\n"
    assert "result: " not in run.said() and not os.path.getsize(folder / "metrics.jsonl")
    again = train(f"{program}.py", *FEW, ranks=2)
    assert again.status == 0 and again.result["epochs"] == 2, again.err
    assert not (folder / "REQUEUE").exists()


@pytest.mark.parametrize("program", PROGRAMS)
def test_processes_that_a_rank_has_started_do_not_die_of_its_signal(forks, tmp_path, program):
    """torchrun sends it to the whole group. A compiler's worker that died would take the rank along."""
    signs = tmp_path / "signs"
    signs.mkdir()
    hold = train_hold.in_own_session(train_hold.with_a_child(2, signs))
    options = (*FEW, "--checkpoint-every", 1, "--check-every", 1)
    run = forks.start(f"{program}.py", *options, ranks=1, cwd=tmp_path, streams=[tmp_path / "log"], before=hold)
    run.wait_for((signs / "held").exists, LIMIT_S)
    os.killpg(run.pids[0], signal.SIGTERM)
    (signs / "go").touch()
    assert run.wait(LIMIT_S) == [0], run.said()
    assert (signs / "child-lives").exists()
    assert (tmp_path / "runs" / program / "REQUEUE").read_text() == "SIGTERM at step 3\n"


def test_a_resumed_training_that_is_stopped_at_once_writes_nothing_anew(forks, tmp_path):
    """Pieces of a large model take long to write, and what is on the disk is what would be written."""
    signs, options = tmp_path / "signs", (*FEW, "--checkpoint-every", 1, "--check-every", 1)
    signs.mkdir()

    def stopped(hold, held: str, log: str) -> str:
        """Start, send SIGTERM when the sign ``held`` is there; what it said."""
        run = forks.start("fsdp.py", *options, ranks=1, cwd=tmp_path, streams=[tmp_path / log], before=hold)
        run.wait_for((signs / held).exists, LIMIT_S)
        run.signal(0, signal.SIGTERM)
        (signs / "go").touch()
        assert run.wait(LIMIT_S) == [0], run.said()
        (signs / "go").unlink()
        return run.said()

    stopped(train_hold.at_checkpoint(2, signs), "held", "log1")
    folder = tmp_path / "runs" / "fsdp" / "checkpoints"
    before = sorted(path.name for path in folder.iterdir())
    assert before[-1] == "step-00000003"
    said = stopped(train_hold.before_listening(signs), "held-0", "log2")
    assert "going on from" in said and "stopped by SIGTERM at step 3" in said
    assert sorted(path.name for path in folder.iterdir()) == before
