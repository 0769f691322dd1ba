"""launch.py in 76 environments (``launch_environments.yml``; its head says what the keys mean): right, or refused."""

import datetime
import re
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import torch.distributed as dist

from workshop.yaml_files import read_yaml

import launch

ENTRIES = read_yaml(Path(__file__).parent / "launch_environments.yml")
SHORT = datetime.timedelta(seconds=30)
LINES = 5  # of a refusal, at most


def address(name: str, host: str) -> str:
    """Every name resolves: this machine's to an address that can be bound, all others to one that cannot (RFC 5737)."""
    return "127.0.0.1" if name == host or launch.is_loopback(name) else "192.0.2.1"


class Place:
    """The machine of an entry: its name, what stands on standard input, how many GPUs CUDA shows."""

    def __init__(self, context: dict, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.context, self.folder = context, folder
        host = context.get("host", "here")
        monkeypatch.setattr(launch.socket, "gethostname", lambda: host)
        monkeypatch.setattr(
            launch.socket, "getaddrinfo", lambda name, *_, **__: [(2, 1, 6, "", (address(name, host), 0))]
        )
        at_terminal = context.get("stdin") == "tty"
        monkeypatch.setattr(launch.sys, "stdin", SimpleNamespace(isatty=lambda: at_terminal))
        monkeypatch.setattr(torch.cuda, "device_count", lambda: context.get("visible_gpus", 0))

    def environments(self, environment: dict[str, str]) -> list[dict[str, str]]:
        """The environment of each process, with the host files written."""
        files = {}
        for name, lines in self.context.get("files", {}).items():
            path = self.folder / name
            path.write_text("".join(f"{line}\n" for line in lines))
            files[name] = str(path)
        return [environment | files | over for over in self.context.get("processes", [{}])]


def answer(entry: dict, env: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    """What launch.py makes of one process: a Launch and a device (None: nobody asks for it), or the LaunchError."""
    asks = entry.get("asks")
    try:
        me = launch.detect(env)
        if asks == "init" and me.launcher != "torchrun":
            launch._check_master(me)
        if asks in ("init", "pick_device") and "visible_gpus" in entry.get("context", {}):
            if shown := env.get("CUDA_VISIBLE_DEVICES"):
                monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
            return me, launch.pick_device(me)
        return me, None
    except launch.LaunchError as error:
        return error, None


def meet_with_cards(found: list, cards: list[str]) -> list[BaseException | None]:
    """Let the processes meet (here as threads, over a real store) where each has the card of ``cards``."""
    server = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    problems: list[BaseException | None] = [None] * len(found)

    def meet(number: int) -> None:
        told = dist.TCPStore("127.0.0.1", server.port, is_master=False, wait_for_workers=False)
        everyone = [f"rank/{rank}" for rank in range(len(found))]
        told.set(everyone[number], f"nccl\nhost {cards[number]}")
        told.wait(everyone, SHORT)
        try:
            launch._check_backends_and_cards([value.decode().split("\n") for value in told.multi_get(everyone)])
        except launch.LaunchError as error:
            problems[number] = error

    threads = [threading.Thread(target=meet, args=(number,)) for number in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def fits(right: dict, got, device, entry: dict) -> str:
    """Why an answer is not this right one; empty if it is."""
    if "refused" in right:
        if not isinstance(got, launch.LaunchError):
            return f"accepted as {got}"
        text = str(got)
        if len(text.splitlines()) > LINES:
            return f"{len(text.splitlines())} lines: {text}"
        return "" if re.search(right["refused"], text) else f"refused without {right['refused']!r}: {text}"
    if isinstance(got, BaseException):
        return f"refused: {got}"
    names = {"nodes": "node_count", "port": "master_port"}
    for key, value in right.items():
        if key in ("apart", "master", "hint", "device"):
            continue
        if getattr(got, names.get(key, key)) != value:
            return f"{key} is {getattr(got, names.get(key, key))!r}, not {value!r}"
    host = entry.get("context", {}).get("host", "here")
    masters = {"127.0.0.1", "localhost", host} if right.get("master") == "here" else {right.get("master")}
    if "master" in right and got.master_addr not in masters:
        return f"master is {got.master_addr}, not {right['master']}"
    if "hint" in right and not (re.search(right["hint"], got.hint) if right["hint"] else got.hint == ""):
        return f"hint is {got.hint!r}, not {right['hint']!r}"
    if "device" in right and str(device) != right["device"]:
        return f"device is {device}, not {right['device']}"
    return ""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_right_or_refused(entry, tmp_path, monkeypatch):
    place = Place(entry.get("context", {}), tmp_path, monkeypatch)
    environments = place.environments(entry["environment"])
    answers = [answer(entry, env, monkeypatch) for env in environments]
    cards = entry.get("context", {}).get("gpus")
    if cards and all(isinstance(got, launch.Launch) for got, _ in answers):
        problems = meet_with_cards(answers, cards)
        answers = [(problem or got, device) for problem, (got, device) in zip(problems, answers, strict=True)]
    wanted = [entry[key] for key in ("right", "or") if key in entry]
    if not entry.get("sure", True) and entry["today"] == "unclear":
        wanted.append({})  # nothing in the environment decides: no crash is all that can be asked
    whys = []
    for right in wanted:
        rights = right if isinstance(right, list) else [right] * len(answers)
        problems = [fits(one, got, device, entry) for one, (got, device) in zip(rights, answers, strict=True)]
        whys.append("; ".join(filter(None, problems)))
    assert "" in whys, " — or: ".join(whys)
    if entry["right"] and not isinstance(entry["right"], list) and entry["right"].get("apart"):
        meeting = {(got.master_addr, got.master_port, got.launch_id) for got, _ in answers}
        assert len(meeting) == len(answers) == len({got.launch_id for got, _ in answers})


def test_the_entries_are_all_there():
    assert len(ENTRIES) == len({entry["id"] for entry in ENTRIES}) == 76
