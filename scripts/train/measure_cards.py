"""What more cards of one machine bring: three series of at most nine minutes each, the most telling piece first.

    export NCCL_NVLS_ENABLE=0                     # NVLink's multicast off
    python scripts/train/measure_cards.py scaling --out book/data/cards_scaling.json --shards packed
    python scripts/train/measure_cards.py links --out book/data/cards_links.json
    python scripts/train/measure_cards.py table --out book/data/cards_table.json

scaling  ResNet-50, 224 x 224, 256 images a card: the bare compiled loop and ddp_fast.py --compile on all cards, on
         half of them and on one, from memory and (with --shards) from JPEGs
links    256 images a step in all, eager and with CUDA graphs, and the bare loop so; NVLink, shared memory, sockets;
         two agents as if on two nodes; DataParallel; then the same steps on one card, and compiled
table    a course of 2021 gave seconds for five epochs on four V100 cards. What it says of its settings is kept:
         ResNet-50, MNIST's 60,000 images, 6144 of them a step in all, five epochs, DataParallel and DDP. It does not
         say their size: here 3 x 32 x 32, synthetic

Each piece is a process with a time limit of its own, and the file is written after each: a piece that hangs costs
only itself. Called again with the same --out, a series measures what is missing. All pieces share one cache of the
compiler. JPEGs for 48 steps an epoch on four cards (see measure_stages.py): make_photos.py photos --images 61440.

On a machine without GPUs --trial runs the same pieces with a small network, a few steps, and nothing compiled.
"""

import argparse
import datetime
import json
import os
import shlex
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import measure_stages

import data
import options

HERE = Path(__file__).resolve().parent
SERIES_S = 540
EAGER_S, COMPILED_S = 75, 150  # for one piece; on a machine that has compiled nothing yet that took up to 105 s
TRIAL_LIMIT_S = 600  # for a busy CPU
BATCH = 256
SEED_BATCH, SEED_IMAGES = 6144, 60_000
NO_P2P = {"NCCL_P2P_DISABLE": "1"}  # no copies from card to card: what is left goes through the host's memory
NO_SHM = {"NCCL_SHM_DISABLE": "1"}  # nor through that: sockets


@dataclass(frozen=True)
class Piece:
    """One measurement: program and options, cards, agents of torchrun, variables, longest time in seconds."""

    program: tuple[str, ...]
    cards: int
    limit_s: float
    agents: int = 1
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Size:
    """How much a piece computes: the network's options, images of a rank and step, steps and repeats."""

    network: tuple[str, ...]
    batch: int
    steps: int
    epochs: int
    seed_batch: int
    seed_images: int
    seed_epochs: int
    trial: bool = False


FULL = Size(("--model", "resnet50", "--image-size", "224"), BATCH, 48, 3, SEED_BATCH, SEED_IMAGES, 5)
TRIAL = Size(("--model", "cnn", "--image-size", "8"), 8, 2, 1, 16, 100, 1, trial=True)


def pieces(series: str, cards: int, size: Size, shards: Path | None) -> dict[str, Piece]:
    """Name -> piece of a series on a machine with that many cards, the most telling one first."""
    if series == "scaling":
        return scaling(cards, size, shards)
    if series == "links":
        return links(cards, size)
    return table(cards, size)


def bare(size: Size, cards: int, batch: int, *more: str) -> Piece:
    """bare_loop.py with ``batch`` images a rank."""
    steps = ("--steps", "20", "--repeats", "1") if size.trial else ()
    program = ("bare_loop.py", *size.network, *classes(size), "--batch-size", str(batch), *steps, *more)
    return Piece(program, cards, COMPILED_S if more else EAGER_S)


def fast(size: Size, cards: int, batch: int, *more: str, **setting) -> Piece:
    """ddp_fast.py with ``batch`` images a rank, from memory."""
    samples = round(size.steps * batch * cards / data.TRAIN_FRACTION)
    images = ("--dataset", "synthetic", *classes(size), "--samples", str(samples))
    program = ("ddp_fast.py", *training(size, cards, batch), *images, *more)
    return Piece(program, cards, COMPILED_S if more else EAGER_S, **setting)


def jpegs(size: Size, cards: int, shards: Path, how: str) -> Piece:
    """ddp_fast.py from JPEGs, cut and mirrored at random."""
    source = ("--dataset", "shards", "--data-dir", str(shards), "--augment", "--decode", "gpu", how)
    return Piece(("ddp_fast.py", *training(size, cards, size.batch), *source), cards, COMPILED_S)


def classes(size: Size) -> tuple[str, ...]:
    return ("--classes", "10" if size.trial else "1000")


def training(size: Size, cards: int, batch: int) -> tuple[str, ...]:
    return (*size.network, "--batch-size", str(batch * cards), "--epochs", str(size.epochs))


def scaling(cards: int, size: Size, shards: Path | None) -> dict[str, Piece]:
    found = {}
    for count in dict.fromkeys((cards, 1, cards // 2)):
        found[f"ddp_fast, compiled, {count}"] = fast(size, count, size.batch, "--compile")
        found[f"bare loop, compiled, {count}"] = bare(size, count, size.batch, "--compile")
        if shards:
            found[f"JPEGs, CUDA graphs, {count}"] = jpegs(size, count, shards, "--graphs")
    if shards:
        found[f"JPEGs, compiled, {cards}"] = jpegs(size, cards, shards, "--compile")
    return found


def links(cards: int, size: Size) -> dict[str, Piece]:
    small, share = size.batch // cards, f"{BATCH} images in all"  # the same names in a trial
    found = {
        f"{share}, eager": fast(size, cards, small),
        f"bare loop, {share}, eager": bare(size, cards, small),
        f"{share}, CUDA graphs": fast(size, cards, small, "--graphs"),
        f"bare loop, {share}, CUDA graphs": bare(size, cards, small, "--graphs"),
    }
    ways = {"NVLink": {}, "shared memory": NO_P2P, "sockets": NO_P2P | NO_SHM}
    for name, environment in ways.items():
        found[name] = fast(size, cards, size.batch, environment=environment)
    found["two agents"] = fast(size, cards, size.batch, agents=2)
    found["data_parallel"] = data_parallel(size, cards)
    found[f"{share}, compiled"] = fast(size, cards, small, "--compile")
    for name, more in (("eager", ()), ("CUDA graphs", ("--graphs",)), ("compiled", ("--compile",))):
        found[f"{BATCH} images on one, {name}"] = fast(size, 1, size.batch, *more)
    return found


def data_parallel(size: Size, cards: int) -> Piece:
    """data_parallel.py from memory; it has hung on some machines."""
    samples = round(size.steps * size.batch * cards / data.TRAIN_FRACTION)
    images = ("--dataset", "synthetic", *classes(size), "--samples", str(samples), "--workers", "4")
    epochs = ("--epochs", str(min(2, size.epochs)))  # it is slow
    batch = ("--batch-size", str(size.batch * cards))
    return Piece(("data_parallel.py", *size.network, *batch, *epochs, *images), cards, 90)


def table(cards: int, size: Size) -> dict[str, Piece]:
    samples = round(size.seed_images / data.TRAIN_FRACTION)
    small = ("--image-size", "8") if size.trial else ("--image-size", "32")
    images = (*size.network[:2], "--dataset", "synthetic", "--samples", str(samples), *small)
    common = (*images, "--batch-size", str(size.seed_batch), "--epochs", str(size.seed_epochs))
    return {
        "one_device, 1": Piece(("one_device.py", *common), 1, 150),
        f"ddp, {cards}": Piece(("ddp.py", *common), cards, 100),
        f"ddp_fast, {cards}": Piece(("ddp_fast.py", *common), cards, 80),
        f"data_parallel, {cards}": Piece(("data_parallel.py", *common), cards, 120),
        "ddp_fast, 1": Piece(("ddp_fast.py", *common), 1, 80),
    }


def command(piece: Piece, runs: Path) -> list[str]:
    """The command line of a piece. Two agents share the cards: each starts half of the processes, as a node would."""
    name, *rest = piece.program
    program = [str(HERE / name), *rest, *([] if name == "bare_loop.py" else ["--runs", str(runs)])]
    if name in ("one_device.py", "data_parallel.py"):
        return [sys.executable, *program]
    launcher = [sys.executable, "-m", "torch.distributed.run"]
    if piece.agents == 1:
        return [*launcher, "--standalone", "--nproc-per-node", str(piece.cards), *program]
    share = piece.cards // piece.agents
    launcher += ["--nnodes", str(piece.agents), "--nproc-per-node", str(share), "--rdzv-backend", "c10d"]
    launcher += ["--rdzv-id", "cards", "--rdzv-endpoint", f"localhost:{free_port()}"]
    agents = [
        f"CUDA_VISIBLE_DEVICES={','.join(str(agent * share + card) for card in range(share))} "
        + shlex.join([*launcher, *program])
        for agent in range(piece.agents)
    ]
    return ["bash", "-c", " & ".join(agents) + " & wait -n && wait -n"]


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as server:
        server.bind(("localhost", 0))
        return server.getsockname()[1]


def seen(cards: int) -> dict[str, str]:
    """The variable by which a program sees so many cards: one_device.py and data_parallel.py take all they see."""
    return {"CUDA_VISIBLE_DEVICES": ",".join(map(str, range(cards)))}


def without_gpu(piece: Piece) -> Piece:
    """The same piece without what needs a GPU or a compiler, for --trial."""
    return Piece(
        tuple(measure_stages.without_gpu(piece.program)), piece.cards, TRIAL_LIMIT_S, piece.agents, piece.environment
    )


def run_series(todo: dict[str, Piece], record: dict, out: Path, cache: Path, runs: Path, end: float) -> None:
    """Measure what ``record`` lacks until the time is over, and write it to ``out`` after each piece."""
    for number, (name, piece) in enumerate(todo.items()):
        if "seconds" in record["pieces"].get(name, {}) and "failed" not in record["pieces"][name]:
            continue
        limit = min(piece.limit_s, end - time.monotonic())
        if limit < piece.limit_s / 2:
            print(f"{name}: left out, {max(0, limit):.0f} s are left of the series", flush=True)
            continue
        environment = {"TORCHINDUCTOR_CACHE_DIR": str(cache / "inductor"), "TRITON_CACHE_DIR": str(cache / "triton")}
        environment |= seen(piece.cards) | piece.environment
        argv = command(piece, runs / f"{int(time.time())}-{number}")
        found = measure_stages.measure(argv, limit, environment)
        record["pieces"][name] = {
            "cards": piece.cards,
            "setting": piece.environment,
            "command": " ".join(piece.program),
        } | found
        print(name, json.dumps(found)[:300], flush=True)
        write(record, out)


def write(record: dict, out: Path) -> None:
    """Replace the file in one step: a series that is stopped leaves a whole one."""
    new = out.with_suffix(".new")
    new.write_text(json.dumps(record, indent=1) + "\n")
    os.replace(new, out)


def begin(args: argparse.Namespace) -> dict:
    """The record of an earlier call on this --out, or a new one; SystemExit with a message if it is another series."""
    if args.out.exists():
        record = json.loads(args.out.read_text())
        if (record.get("series"), record.get("cards")) != (args.series, args.cards):
            raise SystemExit(f"measure_cards: {args.out} has other results; name another file with --out")
        return record
    args.out.parent.mkdir(parents=True, exist_ok=True)
    words = shlex.join(["python", "scripts/train/measure_cards.py", *sys.argv[1:]])
    multicast = os.environ.get("NCCL_NVLS_ENABLE", "not set")
    return {
        "series": args.series,
        "cards": args.cards,
        "command": words,
        "date": datetime.date.today().isoformat(),
        "hardware": {"cores": os.cpu_count()} if args.trial else measure_stages.hardware(),
        "environment": {"NCCL_NVLS_ENABLE": multicast},
        "pieces": {},
    }


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("series", choices=("scaling", "links", "table"))
    parser.add_argument("--cards", type=options.at_least(2), default=4, metavar="N", help="cards (default: 4)")
    parser.add_argument("--seconds", type=options.positive, default=SERIES_S, help=f"longest time ({SERIES_S})")
    parser.add_argument("--shards", type=Path, metavar="DIR", help="JPEGs as make_shards.py packs them")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="only these pieces")
    parser.add_argument("--runs", type=Path, default=Path("runs/cards"), help="folder for the runs' own files")
    parser.add_argument("--cache", type=Path, default=Path("runs/cards-cache"), help="the compiler's cache")
    parser.add_argument("--trial", action="store_true", help="a small network, without a GPU")
    parser.add_argument("--out", type=Path, required=True, help="JSON file for the results")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    todo = pieces(args.series, args.cards, TRIAL if args.trial else FULL, args.shards)
    if unknown := set(args.only or []) - todo.keys():
        raise SystemExit(f"measure_cards: no piece {unknown}; there are:\n  " + "\n  ".join(todo))
    todo = {name: todo[name] for name in args.only or todo}
    if args.trial:
        todo = {name: without_gpu(piece) for name, piece in todo.items()}
    run_series(todo, begin(args), args.out, args.cache.resolve(), args.runs, end)


if __name__ == "__main__":
    main()
