"""Checkpoints of which each rank writes its own piece, for models that no rank holds as a whole.

    runs/NAME/checkpoints/step-00000060/
        __0_0.distcp  __1_0.distcp   the pieces of rank 0 and rank 1
        .metadata                    which part of which tensor lies in which file
        run.pt                       epoch, step, random numbers, and the checksums of the files above

The rules are those of restart.py. A folder is written as step-….part; once all pieces are on the disk, rank 0
renames it, which is all or nothing. PyTorch's distributed checkpoint (DCP) writes and reads the pieces:
https://docs.pytorch.org/docs/stable/distributed.checkpoint.html
"""

import itertools
import os
import re
import shutil
import zlib
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict

import restart

FORMAT = "hpc-workshop sharded checkpoint 1"
NAME = re.compile(r"step-(\d+)(?:-(\d+))?")  # step-00000120; -1, -2 … where that name was taken
RUN = "run.pt"
MEGABYTE = 1 << 20


class ShardedCheckpoints(restart.Checkpoints):
    """The checkpoint folders of a run. All ranks must see the same file system, and call ``load`` and ``save``."""

    def __init__(self, run_folder: Path, options: dict, rank: int, keep: int, group: dist.ProcessGroup, names=()):
        """``group``: see restart.control_group; ``names``: more options that make a run another one."""
        super().__init__(run_folder, options, rank, keep)
        self.identity |= {name: options.get(name) for name in names}
        self.group = group
        self.known_bad: set[Path] = set()  # a piece is missing or damaged
        if rank == 0:
            for left_over in self.folder.glob("*.part"):
                shutil.rmtree(left_over, ignore_errors=True)

    def files(self) -> list[Path]:
        """All finished checkpoints, the furthest step first."""

        def age(path: Path) -> tuple[int, int]:
            match = NAME.fullmatch(path.name)
            return int(match[1]), int(match[2] or 0)

        return sorted((p for p in self.folder.glob("step-*") if NAME.fullmatch(p.name)), key=age, reverse=True)

    def save(self, model, optimizer, state: dict, step: int) -> None:
        """Write the pieces of model and optimizer, and rank 0's small ``state``."""
        path = self._from_rank_0(self._free_name(step) if self.rank == 0 else None)
        part = path.with_suffix(".part")
        sums, error = {}, ""
        try:
            pieces, where = _pieces(model, optimizer), Writer(part)
            dcp.save(pieces, storage_writer=where, process_group=self.group)
            sums = self._own_checksums(part)
        except (CheckpointException, OSError) as problem:
            error = _reason(problem)  # DCP raises it on all ranks if one cannot write
        told = self._from_all((sums, error))
        error = next((error for _, error in told if error), "")
        if self.rank == 0:
            whole = {name: value for sums, _ in told for name, value in sums.items()}
            error = error or self._finish(part, path, {**state, "pieces": whole})
            self._report(path, part, error)

    def _own_checksums(self, part: Path) -> dict[str, tuple[int, int]]:
        """Of the files that this rank has written."""
        index = [part / ".metadata"] if self.rank == 0 else []
        return {file.name: checksum(file) for file in [*part.glob(f"__{self.rank}_*.distcp"), *index]}

    def _finish(self, part: Path, path: Path, state: dict) -> str:
        """Write the small file and give the folder its name; returns why that was not possible."""
        try:
            with open(part / RUN, "wb") as file:
                restart._save({"format": FORMAT, "identity": self.identity, **state}, file)
                file.flush()
                os.fsync(file.fileno())
            restart._sync_folder(part)
            os.rename(part, path)
            restart._sync_folder(self.folder)
        except OSError as problem:
            return _reason(problem)
        return ""

    def _report(self, path: Path, part: Path, error: str) -> None:
        self.failed = f"{path}: {error}" if error else ""
        if error:
            print(f"checkpoint: cannot write {self.failed}; older ones are untouched", flush=True)
            shutil.rmtree(part, ignore_errors=True)
            return
        self.known_good.add(path)
        self._prune()

    def load(self, model, optimizer) -> dict | None:
        """Fill model and optimizer from the newest checkpoint that is whole; returns its state, None at the beginning.

        The number of ranks may be another one than that which wrote it: each takes what it needs from the pieces.
        """
        for path in self._from_rank_0(self.files() if self.rank == 0 else None):
            state = self._whole(path)
            if state:
                pieces = _pieces(model, optimizer)
                reader = dcp.FileSystemReader(path)
                dcp.load(pieces, storage_reader=reader, process_group=self.group)
                states = {"model_state_dict": pieces["model"], "optim_state_dict": pieces["optimizer"]}
                set_state_dict(model, optimizer, **states)
                self._say(f"going on from {path}")
                return state
        self._say(f"nothing to go on from in {self.folder}: starting from the beginning")
        return None

    def _whole(self, path: Path) -> dict | None:
        """The small file's content if all pieces are as they were written; else one line that says what is wrong."""
        state, problem = None, ""
        try:
            state = self.read(path)
            names = sorted(state["pieces"])
            check_pieces(path, state["pieces"], names[dist.get_rank() :: dist.get_world_size()])  # each rank its share
        except ValueError as error:
            problem = str(error)
        problem = next((text for text in self._from_all(problem) if text), "")
        if problem:
            self._say(f"skipping {path}: {problem}")
            self.known_bad.add(path)
            return None
        if self.rank == 0:
            self.known_good.add(path)
        return state

    def read(self, path: Path) -> dict:
        """The content of a checkpoint's ``run.pt``. ValueError if it is damaged, missing, or of another run."""
        try:
            state = torch.load(path / RUN, map_location="cpu", weights_only=True)
        except FileNotFoundError:
            raise ValueError(f"it has no {RUN}") from None
        except Exception as error:  # whatever a stranger's file may cause
            raise ValueError(f"{RUN} cannot be read: {_reason(error)}") from None
        if not isinstance(state, dict) or state.get("format") != FORMAT:
            raise ValueError("not a checkpoint of this program")
        self.check_identity(state["identity"])
        return state

    def check_identity(self, written: dict) -> None:
        """ValueError if the options are those of another run."""
        for name, value in self.identity.items():
            if written.get(name, value) != value:
                raise ValueError(f"of another run: {name} was {written.get(name)}, now it is {value}")

    def _is_good(self, path: Path) -> bool:
        """As far as sizes tell: rank 0 is alone here, and reading all pieces would keep the others waiting."""
        try:
            pieces = self.read(path)["pieces"]
            return all((path / name).stat().st_size == size for name, (size, _) in pieces.items())
        except (ValueError, OSError):
            return False

    def _free_name(self, step: int) -> Path:
        names = itertools.chain([f"step-{step:08d}"], (f"step-{step:08d}-{n}" for n in itertools.count(1)))
        return next(path for path in map(self.folder.joinpath, names) if not path.exists())

    def _prune(self) -> None:
        ours = [path for path in self.files() if path not in self.known_bad]
        good = [path for path in ours if path in self.known_good or self._is_good(path)]
        for path in good[self.keep :]:
            shutil.rmtree(path, ignore_errors=True)

    def _say(self, text: str) -> None:
        if self.rank == 0:
            print(f"checkpoint: {text}", flush=True)

    def _from_rank_0(self, value):
        box = [value]
        dist.broadcast_object_list(box, src=0, group=self.group)
        return box[0]

    def _from_all(self, value) -> list:
        values = [None] * dist.get_world_size()
        dist.all_gather_object(values, value, group=self.group)
        return values


class Writer(dcp.FileSystemWriter):
    """DCP's own, which calls fsync for each file; it says why a file could not be written."""

    def write_data(self, plan, planner):
        try:
            return super().write_data(plan, planner)
        except RuntimeError as error:  # torch.save tells only that something failed
            if isinstance(error.__context__, OSError):
                raise error.__context__ from None
            raise


def check_pieces(folder: Path, pieces: dict, names: list[str]) -> None:
    """ValueError if one of the files ``names`` is missing, or not as it was written."""
    for name in names:
        try:
            found = checksum(folder / name)
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror}") from None
        if found[0] != pieces[name][0]:
            raise ValueError(f"{name} is torn: {found[0]} of {pieces[name][0]} bytes")
        if found != pieces[name]:
            raise ValueError(f"{name} is damaged: its checksum is wrong")


def checksum(file: Path) -> tuple[int, int]:
    """Bytes of a file, and their CRC-32."""
    size = total = 0
    with open(file, "rb") as content:
        while block := content.read(MEGABYTE):
            size, total = size + len(block), zlib.crc32(block, total)
    return size, total


def _pieces(model, optimizer) -> dict:
    """What DCP writes and fills: this rank's pieces of weights and optimizer state."""
    weights, moments = get_state_dict(model, optimizer)
    return {"model": weights, "optimizer": moments}


def _reason(problem: BaseException) -> str:
    """The first line that says what happened; DCP packs the errors of all ranks into one."""
    if isinstance(problem, CheckpointException):
        problem = next(iter(problem.failures.values()))[0]
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return f"{type(problem).__name__}: {(str(problem).splitlines() or [''])[0][:100]}"
