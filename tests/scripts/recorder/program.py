"""Stands in for a training program in tests of job scripts: says who it is, and meets the other ranks. No torch.

A script is responsible for how a program starts: how often, on which nodes, in which folder, with which words, files
and variables, and that all processes find one another. What a training makes of that is tested elsewhere.

``recording.py`` copies this file to each name in ``scripts/train/`` of a workplace, with the real launch.py in
``real/``. Each process leaves its record in ``recorded/``. Where a file ``hold`` lies, it then waits to be told to
stop.
"""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "real"))
import launch  # noqa: E402

PATIENCE_S = 120
VARIABLES = ("SLURM_", "PBS_", "LSB_", "CUDA_", "OMP_", "APPTAINER_", "LOADEDMODULES", "TORCHELASTIC_")


def option(name: str, default: str = "") -> str:
    """The word after ``--name``."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def meet(me: launch.Launch) -> list[list]:
    """``[rank, node]`` of all that came, by rank: each of them gets the whole list, or dies waiting for it."""
    mine = [me.rank, socket.gethostname()]
    if me.world_size == 1:
        return [mine]
    board = HERE / "recorded" / f"port-{me.master_port}"
    own_port = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
    if not own_port:  # torchrun's agent listens there already, for all ranks: rank 0 takes another port
        socket.create_connection((me.master_addr, me.master_port), PATIENCE_S).close()
    if me.rank == 0:
        with socket.create_server((me.master_addr, me.master_port if own_port else 0)) as server:
            write(board, server.getsockname()[1])
            everyone = gather(server, me.world_size, mine)
            board.unlink()
            return everyone
    with socket.create_connection((me.master_addr, wait_for(board)), PATIENCE_S) as line:
        line.sendall(json.dumps(mine).encode() + b"\n")
        return json.loads(line.makefile().readline())


def gather(server: socket.socket, count: int, mine: list) -> list[list]:
    """Rank 0: hear all others, then tell all."""
    server.settimeout(PATIENCE_S)
    lines = [server.accept()[0] for _ in range(count - 1)]
    everyone = sorted([mine, *(json.loads(line.makefile().readline()) for line in lines)])
    for line in lines:
        line.sendall(json.dumps(everyone).encode() + b"\n")
        line.close()
    return everyone


def write(path: Path, content: object) -> None:
    """A file that exists is complete."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_text(json.dumps(content) + "\n")
    new.rename(path)


def wait_for(path: Path) -> int:
    """The number in a file that another process is about to write."""
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists():
        if time.monotonic() > deadline:
            raise SystemExit(f"recorder: rank 0 has not come within {PATIENCE_S} s")
        time.sleep(0.02)
    return json.loads(path.read_text())


def files_of_run(run: Path) -> None:
    """What scripts do with a run's folder needs these two files."""
    run.mkdir(parents=True, exist_ok=True)
    (run / "config.json").write_text(json.dumps(sys.argv) + "\n")
    last = {"epoch": int(sys.argv[sys.argv.index("--epochs") + 1])} if "--epochs" in sys.argv else {}
    with open(run / "metrics.jsonl", "a") as file:
        file.write(json.dumps(last | {"recorded": sys.argv[1:]}) + "\n")


def wait_to_be_told(me: launch.Launch, run: Path, sign: Path) -> None:
    """As the real programs: ddp_resume.py notes TERM and asks to be started again, the others die of it."""
    told = []
    if Path(sys.argv[0]).name == "ddp_resume.py":
        signal.signal(signal.SIGTERM, lambda number, frame: told.append(number))
    write(sign, os.getpid())
    deadline = time.monotonic() + PATIENCE_S
    while not told:
        if time.monotonic() > deadline:
            raise SystemExit(f"recorder: no signal within {PATIENCE_S} s")
        time.sleep(0.02)
    if me.rank == 0:
        (run / "REQUEUE").touch()


def main() -> None:
    """Record, meet, leave the files of a run, wait if asked to."""
    me = launch.detect()
    holds, data = (HERE / "hold").exists(), Path(option("--data-dir", "nowhere"))
    record = vars(me) | {
        "program": Path(sys.argv[0]).name,
        "words": sys.argv[1:],
        "cwd": os.getcwd(),
        "node": socket.gethostname(),
        "prefix": sys.prefix,
        "variables": {name: value for name, value in os.environ.items() if name.startswith(VARIABLES)},
        "data_files": len([path for path in data.rglob("*") if path.suffix in (".png", ".tar")]),
        "together_with": meet(me),
    }
    run = Path(option("--runs", "runs")) / option("--name", "unnamed")
    if me.rank == 0 and option("--name"):
        (run / "REQUEUE").unlink(missing_ok=True)
        files_of_run(run)
    number = f"{time.time_ns()}-{os.getpid()}"
    write(HERE / "recorded" / f"{number}.json", record)
    print(f"recorded: rank {me.rank} of {me.world_size} on {record['node']}", flush=True)
    if holds:
        wait_to_be_told(me, run, HERE / "recorded" / f"held-{number}.pid")


if __name__ == "__main__":
    main()
