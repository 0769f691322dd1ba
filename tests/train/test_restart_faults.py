"""Jobs that are killed or told to stop: what is left behind, and that the resumed run ends as if nothing had been.

Training runs in forks here; that launchers pass signals on is in test_launch_live.py.
"""

import json
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest
import torch

import restart
import train_hold

STEPS_AN_EPOCH = 5
WITHIN_AN_EPOCH = 2 * STEPS_AN_EPOCH + 1  # the one step that leaves a checkpoint besides the ends of epochs
SHORT = (
    *("--samples", 400, "--epochs", 4, "--dropout", 0.3, "--check-every", 1, "--timeout", 60),
    *("--checkpoint-every", WITHIN_AN_EPOCH),
)
# Dropout makes the random numbers matter; a checkpoint in each step makes many kills hit one that is being written.
FAULTS = (
    *("--samples", 400, "--epochs", 5, "--batch-size", 32, "--dropout", 0.3),
    *("--checkpoint-every", 1, "--check-every", 1, "--timeout", 20),
)
STEPS_BETWEEN_KILLS = 9  # of 50 steps: five kills in a row, then the rest undisturbed


def held_in_step(forks, folder: Path, step: int):
    """Two ranks of ddp_resume.py, rank 0 in the middle of writing the checkpoint of ``step``."""
    signs = folder / "signs"
    signs.mkdir()
    hold = train_hold.at_checkpoint(step, signs)
    run = forks.start("ddp_resume.py", *SHORT, ranks=2, cwd=folder, streams=[folder / "log"], before=hold)
    run.wait_for((signs / "held").exists)
    return run


def epochs_of(run: Path) -> list[int]:
    return [json.loads(line)["epoch"] for line in (run / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGUSR2"])
def test_a_rank_is_told_to_stop_and_all_stop_together(forks, train, tmp_path, name):
    """Only rank 1 gets the signal, while rank 0 writes: the next step is the last of both.

    Rank 1 cannot end that step without rank 0. Between two epochs the ranks ask each other once more, and it would be
    open whether rank 1 had asked already.
    """
    last = WITHIN_AN_EPOCH + 1
    run = held_in_step(forks, tmp_path, last - 1)
    run.signal(1, getattr(signal, name))
    (tmp_path / "signs" / "go").touch()
    assert run.wait(60) == [0, 0], run.said()
    folder = tmp_path / "runs" / "ddp_resume"
    assert f"stopped by {name} at step {last}: start me again to go on\n" in run.said()
    assert (folder / "REQUEUE").read_text() == f"{name} at step {last}\n"
    assert "result: " not in run.said() and epochs_of(folder) == [1, 2]

    again = train("ddp_resume.py", *SHORT, ranks=2)
    assert again.status == 0 and f"going on from runs/ddp_resume/checkpoints/step-{last:08d}" in again.out, again.err
    assert not (folder / "REQUEUE").exists()
    assert epochs_of(folder) == [1, 2, 3, 4]

    # A chain of jobs may start once more than needed; one process is enough to say so.
    finished = train("ddp_resume.py", *SHORT)
    assert finished.status == 0 and finished.result["epochs"] == 4
    assert finished.result["val_loss"] == again.result["val_loss"]


def test_a_killed_rank_is_named_by_the_other_and_leaves_no_marker(forks, train, tmp_path):
    run = held_in_step(forks, tmp_path, 2 * STEPS_AN_EPOCH)
    run.signal(1, signal.SIGKILL)
    (tmp_path / "signs" / "go").touch()
    assert run.wait(60) == [1, -signal.SIGKILL]
    assert "launch: no word from rank 1: killed, or hanging" in run.said()
    assert not (tmp_path / "runs" / "ddp_resume" / "REQUEUE").exists(), "nobody asked it to come back"

    longer = ("--epochs", 40)
    alone = train("ddp_resume.py", *SHORT, *longer)  # one rank instead of two
    assert alone.status == 0 and "going on from" in alone.out and alone.result["val_accuracy"] > 0.9


@pytest.mark.parametrize("program", ["ddp_resume.py", "ddp_fast.py"])
def test_an_epoch_that_was_stopped_after_its_last_step_has_no_rate(train, tmp_path, program):
    """80 images in batches of 24: the last batch is not full, and the four together count as 96."""
    options = ("--samples", 100, "--batch-size", 24, "--epochs", 1, "--checkpoint-every", 4, "--name", "run")
    assert train(program, *options).status == 0
    after_validation = tmp_path / "runs" / "run" / "checkpoints" / "step-00000004-1.pt"
    after_validation.unlink()
    again = train(program, *options[:-4], *options[-2:], "--epochs", 2)
    rates = [float(rate) for rate in re.findall(r"^epoch .* images_per_s=(\S+)", again.out, re.MULTILINE)]
    assert "step-00000004.pt" in again.out and rates[0] == 0 < rates[1], again.out
    assert again.result["images_per_s"] == pytest.approx(rates[1], abs=1), "the median of epochs that had steps"


# --- the same weights, bit for bit, on the CPU


class Chain:
    """Runs of one training after each other, each with two ranks: what one leaves is where the next begins."""

    def __init__(self, forks, folder: Path):
        self.forks, self.folder, self.starts = forks, folder, 0
        self.checkpoints = folder / "run" / "checkpoints"
        folder.mkdir()

    def start(self, before=None):
        self.starts += 1
        options = (*FAULTS, "--runs", self.folder, "--name", "run")
        log = self.folder / f"log{self.starts}"
        return self.forks.start(
            "ddp_resume.py", *options, ranks=2, by_hand=True, cwd=self.folder, streams=[log], before=before
        )

    def start_held(self, step: int):
        """Start, and come back when the checkpoint of ``step`` is being written."""
        signs = self.folder / f"signs{step}"
        signs.mkdir()
        run = self.start(train_hold.at_checkpoint(step, signs))
        run.wait_for((signs / "held").exists)
        return run, signs / "go"

    def finish(self) -> dict[str, torch.Tensor]:
        """Run undisturbed to the end; returns weights and momentum."""
        run = self.start()
        assert run.wait(120) == [0, 0], run.said()
        newest = restart.Checkpoints(self.folder / "run", {}, rank=1).files()[0]
        state = torch.load(newest, weights_only=True)
        assert state["epoch"] == 5, f"{newest} is not of a finished run"
        momentum = {f"momentum {k}": v["momentum_buffer"] for k, v in state["optimizer"]["state"].items()}
        return state["model"] | momentum

    def steps_done(self) -> int:
        """Steps up to the newest checkpoint, by its name."""
        names = [restart.NAME.fullmatch(path.name) for path in self.checkpoints.glob("*.pt")]
        return max((int(name[1]) for name in names if name), default=0)

    def half_written(self) -> list[Path]:
        return list(self.checkpoints.glob("*.tmp"))

    def check_readable(self) -> None:
        """Each checkpoint with a final name can be read, whatever happened when it was written."""
        options = json.loads((self.folder / "run" / "config.json").read_text())
        checkpoints = restart.Checkpoints(self.folder / "run", options, rank=1)
        for path in checkpoints.files():
            checkpoints.read(path)  # ValueError with the reason


def assert_same(expected: dict[str, torch.Tensor], found: dict[str, torch.Tensor]) -> None:
    different = [name for name in expected | found if not torch.equal(expected[name], found[name])]
    assert not different


@pytest.mark.slow
def test_kills_at_the_start_in_a_step_and_in_a_write_change_nothing(forks, tmp_path):
    """And one rank that gets SIGTERM in between: all stop together, well, and leave the marker."""
    expected = Chain(forks, tmp_path / "undisturbed").finish()
    chain = Chain(forks, tmp_path / "disturbed")

    run = chain.start()
    run.wait_for(lambda: "backend=gloo" in run.said())  # the ranks have met
    run.kill(0, 1)
    assert run.wait(60) == [-9, -9]

    run, go = chain.start_held(12)
    run.kill(1)  # while rank 0 writes, the other one is in the next step
    go.touch()
    assert run.wait(60) == [1, -9], run.said()
    chain.check_readable()
    assert chain.steps_done() == 12, "rank 0 ended its writing, and the dead one's step does not count"

    run, go = chain.start_held(25)
    assert [path.name for path in chain.half_written()] == ["step-00000025.tmp"]
    run.kill(0, 1)
    assert run.wait(60) == [-9, -9]
    assert chain.half_written() and chain.steps_done() == 24
    chain.check_readable()

    run, go = chain.start_held(30)
    run.kill(0)  # who writes, and who keeps the meeting point
    assert run.wait(60) == [-9, 1], run.said()
    assert chain.steps_done() == 29
    chain.check_readable()

    run, go = chain.start_held(37)
    run.signal(1, signal.SIGTERM)
    go.touch()
    assert run.wait(60) == [0, 0], run.said()
    assert (chain.folder / "run" / "REQUEUE").read_text() == "SIGTERM at step 38\n"

    assert_same(expected, chain.finish())


@pytest.mark.slow
@pytest.mark.extensive
def test_twenty_kills_at_random_moments_change_nothing(forks, tmp_path):
    """SIGKILL to a rank or all, in steps and in the middle of writing, and SIGTERM to one between some of them."""
    seed = int(os.environ.get("WORKSHOP_FAULT_SEED") or int.from_bytes(os.urandom(2), "big"))
    print(f"to repeat: WORKSHOP_FAULT_SEED={seed}")
    dice, done, chains = random.Random(seed), [], 0
    expected = Chain(forks, tmp_path / "undisturbed").finish()
    while len(done) < 20:
        chains += 1
        chain = Chain(forks, tmp_path / f"chain{chains}")
        for _ in range(5):  # kills in a row before a chain may finish
            if dice.random() < 0.2:
                stop_at_random(chain, dice)
            if what := kill_at_random(chain, dice):
                done.append(what)
                chain.check_readable()
        assert_same(expected, chain.finish())
    print(*done, sep="\n")
    assert any("write" in what for what in done), "no kill met a checkpoint that was being written"
    assert any("rank" in what for what in done) and any("all" in what for what in done)


def kill_at_random(chain: Chain, dice: random.Random) -> str | None:
    """SIGKILL one rank or all at a random moment; returns what was done, None if the run ended before."""
    first, more, in_write = chain.steps_done(), dice.randint(0, STEPS_BETWEEN_KILLS), dice.random() < 0.4
    run = chain.start()
    if not wait_for_step(run, chain, first + more):
        return None
    if more and in_write:
        limit = time.monotonic() + 1
        while time.monotonic() < limit and not chain.half_written():
            time.sleep(0.0002)  # rank 0 is between opening the temporary file and renaming it
    else:
        time.sleep(dice.uniform(0, 0.05 if more else 1.0))  # more == 0: while it starts, reads and joins
    victims = [0, 1] if dice.random() < 0.7 else [dice.choice([0, 1])]
    run.kill(*victims)
    moment = "a checkpoint's write" if chain.half_written() else "a step" if more else "the start"
    if -signal.SIGKILL not in run.wait(60) or not (chain.folder / "run" / "config.json").exists():
        return None  # it was over before, or had not begun: that kill does not count
    return f"{'all' if len(victims) == 2 else f'rank {victims[0]}'} in {moment}"


def stop_at_random(chain: Chain, dice: random.Random) -> None:
    """SIGTERM to one rank in some step: all stop together and leave the marker, unless the run ended before."""
    first, more = chain.steps_done(), dice.randint(1, STEPS_BETWEEN_KILLS)
    run = chain.start()
    wait_for_step(run, chain, first + more)
    run.signal(dice.choice([0, 1]), signal.SIGTERM)
    assert run.wait(60) == [0, 0], run.said()
    stopped = re.search(r"stopped by SIGTERM at step \d+", run.said())
    assert bool(stopped) == (chain.folder / "run" / "REQUEUE").exists()
    assert stopped or "result: " in run.said()


def wait_for_step(run, chain: Chain, step: int) -> bool:
    """Wait for the checkpoint of ``step``; False if the run ended before."""
    deadline = time.monotonic() + 60
    while chain.steps_done() < step:
        if any(status is not None for status in run.statuses):
            return False
        assert time.monotonic() < deadline, run.said()
        time.sleep(0.005)
    return True
