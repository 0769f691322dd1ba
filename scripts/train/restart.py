"""What a training job needs to be stopped and to go on: checkpoints, signals, and a place in the epoch.

The rules, and why:
- A checkpoint is written to a temporary name and then renamed: a rename is all or nothing, so a job killed at
  any moment leaves either the old file or the new one, never half of one.
- Rank 0 alone writes. What differs between ranks (the state of their random numbers) is collected first.
- The newest file that can be read is taken. Others are named and left where they are: somebody may need them.
- A signal is only noted. The step is finished, all ranks agree, the checkpoint is written, a marker is left.
"""

import dataclasses
import datetime
import functools
import itertools
import os
import re
import signal
import threading
import zipfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

import options

FORMAT = "hpc-workshop checkpoint 1"
NAME = re.compile(r"step-(\d+)(?:-(\d+))?\.pt")  # step-00000120.pt; -1, -2 … where that name was taken
# A checkpoint with other values of these options is another run's. Not --epochs: a run may go on longer.
IDENTITY = (
    "dataset",
    "samples",
    "image_size",
    "classes",
    "model",
    "batch_norm",
    "dropout",
    "augment",
    "batch_size",
    "lr",
    "seed",
)
# SIGTERM comes from all schedulers at the end; SIGUSR2 warns before it (NCCL may use SIGUSR1 itself).
STOP_SIGNALS = (signal.SIGTERM, signal.SIGUSR2)
ASK_AGAIN_S = 1  # how soon a worker notices that its rank has been killed


class Stopped(Exception):
    """The job was asked to end, and all ranks know it."""


@dataclasses.dataclass
class Progress:
    """How far the training is."""

    epoch: int = 0  # epochs finished
    batch: int = 0  # batches done in the present epoch
    step: int = 0  # batches done since the beginning
    total: torch.Tensor | None = None  # this rank's sum of losses and number of images in the present epoch


class ResumableSampler(DistributedSampler):
    """A DistributedSampler that can start in the middle of an epoch."""

    skip = 0

    def set_position(self, epoch: int, images: int) -> None:
        """Go to ``epoch``, after the ``images`` that this rank has seen in it."""
        self.set_epoch(epoch)
        self.skip = images

    def __iter__(self):
        return itertools.islice(super().__iter__(), self.skip, None)

    def __len__(self) -> int:
        # A last batch that is not full counts as a whole one: after it more is skipped than is there.
        return max(0, super().__len__() - self.skip)


class SparingLoader(DataLoader):
    """A DataLoader whose workers survive a stop signal.

    torchrun and schedulers send it to every process of the job. A worker that died of
    it would end its rank ("DataLoader worker is killed by signal") before the step is
    finished and the checkpoint written. So the signals are blocked while workers are
    started: they inherit that and keep it.
    """

    def __init__(self, *arguments, worker_init_fn=None, **options):
        worker_init_fn = functools.partial(_obey, os.getpid(), worker_init_fn)
        super().__init__(*arguments, worker_init_fn=worker_init_fn, **options)

    def __iter__(self):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            return super().__iter__()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _obey(rank: int, worker_init_fn, number: int) -> None:
    """In a new worker: end when its rank says so, or is gone, and only then.

    Python sends SIGTERM to its workers when it ends, and waits for them. ``rank``: the
    process's id. It need not be the parent: Python may start workers by a server of
    its own.
    """

    def listen() -> None:
        while True:
            note = signal.sigtimedwait(STOP_SIGNALS, ASK_AGAIN_S)
            if (note is None and not is_there(rank)) or (note and note.si_pid == rank):
                os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    if worker_init_fn:
        worker_init_fn(number)


def is_there(pid: int) -> bool:
    """Is there a process with this id?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def control_group() -> dist.ProcessGroup:
    """A group of all ranks that speaks through the CPUs: its messages wait for no GPU, and may take an hour."""
    return dist.new_group(backend="gloo", timeout=datetime.timedelta(hours=1))


class StopSignal:
    """Notes SIGTERM and SIGUSR2 instead of dying from them.

    The program should block both in its first lines, and leave them so. Then they also wait while it starts, and in
    the processes that it starts.
    """

    def __init__(self, group: dist.ProcessGroup, every: int = 10):
        """``group``: see control_group; ``every``: steps between two comparisons."""
        self.group, self.every, self.received = group, every, 0
        for number in STOP_SIGNALS:
            signal.signal(number, self._note)

    def _note(self, number, _frame) -> None:
        self.received = self.received or number

    def check(self, step: int) -> None:
        """Raise Stopped on all ranks if one of them got a signal.

        All must call it with the same ``step``.
        """
        if step % self.every == 0:
            self.check_now()

    def check_now(self) -> None:
        """The same at any step, for the end of a part that no step interrupts."""
        waiting = signal.sigpending().intersection(STOP_SIGNALS)  # blocked, so not noted
        # A rank that stopped alone would leave the others waiting in an all-reduce.
        first = torch.tensor([self.received or int(max(waiting, default=0))])
        dist.all_reduce(first, op=dist.ReduceOp.MAX, group=self.group)
        if first.item():
            raise Stopped(signal.Signals(int(first.item())).name)


class Checkpoints:
    """The checkpoint files of a run, in ``runs/NAME/checkpoints``."""

    def __init__(self, run_folder: Path, options: dict, rank: int = 0, keep: int = 2):
        """``options``: those of the run (see IDENTITY); ``keep``: so many newest files stay.

        SystemExit with a message if the folder cannot be written: better now than after the first epoch.
        """
        self.folder, self.rank, self.keep = Path(run_folder) / "checkpoints", rank, keep
        self.marker = Path(run_folder) / "REQUEUE"
        self.identity = {name: options.get(name) for name in IDENTITY}
        self.failed = ""  # why the newest state is not on the disk
        self.known_good: set[Path] = set()  # read or written by this process: no need to read them again
        if rank != 0:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for left_over in self.folder.glob("*.tmp"):
                left_over.unlink()
            probe = self.folder / f"probe-{os.getpid()}.tmp"
            probe.touch()
            probe.unlink()
            self.marker.unlink(missing_ok=True)
        except OSError as error:
            raise SystemExit(
                f"checkpoint: cannot write into {self.folder.resolve()}: {error.strerror}\n"
                "  Choose a folder where you may write: --runs DIR"
            ) from None

    def files(self) -> list[Path]:
        """All *.pt files, the furthest step first."""

        def age(path: Path) -> tuple[int, int]:
            match = NAME.fullmatch(path.name)
            return (int(match[1]), int(match[2] or 0)) if match else (-1, 0)

        return sorted(self.folder.glob("*.pt"), key=age, reverse=True)

    def read(self, path: Path) -> dict:
        """The state in a file. ValueError with the reason if it is torn, damaged, or of another run."""
        try:
            with zipfile.ZipFile(path) as archive:  # torch.save writes a zip file, with a checksum for each entry
                damaged = archive.testzip()
            if damaged:
                raise ValueError(f"damaged: the checksum of {damaged} is wrong")
            state = torch.load(path, map_location="cpu", weights_only=True)
        except zipfile.BadZipFile:
            raise ValueError("torn, or not written by torch.save") from None
        except ValueError:
            raise
        except Exception as error:  # whatever a stranger's file may cause: it must not end the training
            reason = (str(error).splitlines() or [""])[0][:100]
            raise ValueError(f"cannot be read: {type(error).__name__}: {reason}") from None
        if not isinstance(state, dict) or state.get("format") != FORMAT:
            raise ValueError("not a checkpoint of this program")
        for name, value in self.identity.items():
            # A name that is not there was no option yet when the file was written.
            if state["identity"].get(name, value) != value:
                raise ValueError(f"of another run: {name} was {state['identity'].get(name)}, now it is {value}")
        self.known_good.add(path)
        return state

    def newest(self, group: dist.ProcessGroup | None = None) -> dict | None:
        """The newest state that can be read; None at the beginning. All ranks must call it, before DDP wraps the model.

        Rank 0 alone reads the file. The other ranks get all but its ``model``: DDP sends the weights.
        ``group``: see control_group; by default all ranks' own, which on GPUs cannot send what lies in memory.
        """
        state = self._choose() if self.rank == 0 else None
        weights = state.pop("model") if state else None
        state = send_tree(state, self.rank, group)
        return state if state is None else state | {"model": weights}

    def _choose(self) -> dict | None:
        for path in self.files():
            try:
                state = self.read(path)
            except ValueError as error:
                print(f"checkpoint: skipping {path}: {error}", flush=True)
                continue
            print(f"checkpoint: going on from {path}", flush=True)
            return state
        print(f"checkpoint: nothing to go on from in {self.folder}: starting from the beginning", flush=True)
        return None

    def write(self, state: dict, step: int) -> None:
        """Write ``state``; call it on rank 0. On failure: a message, and the older files stay as they are."""
        path = self._free_name(step)
        temporary = path.with_suffix(".tmp")
        try:
            with open(temporary, "wb") as file:
                _save({"format": FORMAT, "identity": self.identity, **state}, file)
                file.flush()
                os.fsync(file.fileno())  # or a crashed node may keep the name alone
            os.replace(temporary, path)
            _sync_folder(self.folder)
        except OSError as error:
            self.failed = f"{path}: {error.strerror}"
            why = f"cannot write {self.failed}; older ones are untouched"
            print(f"checkpoint: {why}", flush=True)
            _remove(temporary)
            return
        self.failed = ""
        self.known_good.add(path)
        self._prune()

    def leave_marker(self, reason: str) -> None:
        """Leave ``runs/NAME/REQUEUE``: the job script that finds it puts the job back into the queue."""
        if not self.failed:  # without progress on the disk the job would start the same work forever
            self.marker.write_text(reason + "\n", encoding="utf-8")
        print(f"stopped by {reason}: start me again to go on", flush=True)

    def _free_name(self, step: int) -> Path:
        """A torn or foreign file may have the name already: it is not overwritten."""
        names = itertools.chain([f"step-{step:08d}.pt"], (f"step-{step:08d}-{n}.pt" for n in itertools.count(1)))
        return next(path for path in map(self.folder.joinpath, names) if not path.exists())

    def _prune(self) -> None:
        """Remove old checkpoints of this run; files that are not ours to judge stay."""
        good = [path for path in self.files() if path in self.known_good or self._is_good(path)]
        for path in good[self.keep :]:
            _remove(path)

    def _is_good(self, path: Path) -> bool:
        try:
            self.read(path)
        except ValueError:
            return False
        return True


class _Watched:
    """A file that remembers why it could not be written: torch.save tells only that something failed."""

    def __init__(self, file):
        self.file, self.flush, self.error = file, file.flush, None

    def write(self, content) -> int:
        try:
            return self.file.write(content)
        except OSError as error:
            self.error = error
            raise


def _save(state: dict, file) -> None:
    """torch.save straight into the file, without a second copy in memory; OSError if it cannot be written."""
    watched = _Watched(file)
    try:
        torch.save(state, watched)
    except RuntimeError:
        if watched.error:
            raise watched.error from None
        raise


@dataclasses.dataclass
class _Hole:
    """Where a tensor belongs in a tree that is sent without its tensors."""

    shape: tuple[int, ...]
    dtype: torch.dtype


def send_tree(tree, rank: int, group: dist.ProcessGroup):
    """Rank 0's ``tree`` of dictionaries and lists on all ranks; its tensors travel one by one and are not pickled."""
    tensors: list[torch.Tensor] = []

    def take_out(node):
        if isinstance(node, torch.Tensor):
            tensors.append(node.cpu().contiguous())
            return _Hole(tuple(node.shape), node.dtype)
        return _mapped(take_out, node)

    def fill(node):
        if isinstance(node, _Hole):
            tensor = next(coming) if rank == 0 else torch.empty(node.shape, dtype=node.dtype)
            dist.broadcast(tensor, src=0, group=group)
            return tensor
        return _mapped(fill, node)

    frame = [take_out(tree) if rank == 0 else None]
    dist.broadcast_object_list(frame, src=0, group=group)
    coming = iter(tensors)
    return fill(frame[0])


def _mapped(function, node):
    """``function`` of each part of a dictionary, list or tuple; anything else as it is."""
    if isinstance(node, dict):
        return {key: function(value) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return type(node)(function(value) for value in node)
    return node


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        print(f"checkpoint: cannot remove {path}: {error.strerror}", flush=True)


def _sync_folder(folder: Path) -> None:
    """The new name is in the folder, which is written by itself."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def load_optimizer(optimizer: torch.optim.Optimizer, state: dict) -> None:
    """Load its state, and lay out each momentum in memory as its weight is.

    A fused optimizer goes through both in the order of memory: with channels last in one of them alone it
    would mix them up, without an error. What was saved, or sent to another rank, may have another layout.
    """
    optimizer.load_state_dict(state)
    for weight, values in optimizer.state.items():
        for name, value in values.items():
            if isinstance(value, torch.Tensor) and value.shape == weight.shape:
                values[name] = torch.empty_like(weight, requires_grad=False).copy_(value)


def random_state(device: torch.device) -> dict[str, torch.Tensor]:
    """The state of this rank's random numbers."""
    state = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        state["cuda"] = torch.cuda.get_rng_state(device)
    return state


def set_random_state(states: list[dict[str, torch.Tensor]], rank: int, device: torch.device) -> None:
    """Put this rank's state back; a rank that the older run did not have keeps its fresh one."""
    if rank < len(states):
        torch.set_rng_state(states[rank]["cpu"])
        if device.type == "cuda" and "cuda" in states[rank]:
            torch.cuda.set_rng_state(states[rank]["cuda"], device)


def add_options(parser) -> None:
    """The options about stopping and going on."""
    option = parser.add_argument_group("restarts").add_argument
    option(
        "--checkpoint-every",
        type=options.at_least(0),
        default=0,
        metavar="STEPS",
        help="besides the end of each epoch (default: 0)",
    )
    option("--deterministic", action="store_true", help="the same bits in each run also on GPUs: slower")
    option("--keep", type=options.at_least(1), default=2, metavar="N", help="checkpoints that stay (default: 2)")
    option(
        "--check-every",
        type=options.at_least(1),
        default=10,
        metavar="STEPS",
        help="ask for stop signals (default: 10)",
    )
