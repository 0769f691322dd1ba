"""Which port of the laptop leads where: asked of ssh itself (``ssh -G``), which connects to nobody."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from workshop.exercise import stand_ins

# Instead of connecting, the command says what it would have done.
STAND_IN = '#!/bin/bash\nexec {ssh} -G -F {config} "$@" > {said}\n'
CONFIG = "Host cluster\n    HostName login.cluster.example\n    User ada\nHost c?\n    User ada\n"
TARGETS = ("c3", "localhost", "127.0.0.1", "::1")


def check(path: Path) -> list[str]:
    """What is still wrong with the command in the bash file ``path``: one sentence each, empty if nothing."""
    ssh = shutil.which("ssh")
    if ssh is None:
        return ["There is no ssh on this machine to judge the command: install openssh-client."]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said, config = folder / "said", folder / "config"
        config.write_text(CONFIG)
        stand_in = STAND_IN.format(ssh=ssh, config=config, said=said)
        env = {**os.environ, "PATH": stand_ins(folder, {"ssh": stand_in})}
        done = subprocess.run(["bash", str(path)], env=env, capture_output=True, text=True, timeout=20)
        if done.returncode or not said.is_file():
            lines = (done.stderr or "it does not call ssh").strip().splitlines()
            return [f"The command does not run: {lines[-1]}"]
        return _problems(said.read_text())


def _problems(said: str) -> list[str]:
    host = re.search(r"^hostname (\S+)", said, flags=re.M)[1]
    jump = re.search(r"^proxyjump (\S+)", said, flags=re.M)
    forwards = re.findall(r"^localforward (?:\S*:)?(\d+) \[?([^\]\s]+?)\]?:(\d+)$", said, flags=re.M)
    if not forwards:
        return ["No port of the laptop is forwarded: -L PORT_HERE:HOST:PORT_THERE."]
    if len(forwards) > 1:
        return ["One forwarded port is enough here, and the check understands one."]
    here, target, there = forwards[0]
    problems = []
    if here != "8888":
        problems.append(
            f"The browser asks port 8888 of the laptop, and the command opens {here}: that number is the first."
        )
    if there != "9417":
        problems.append(f"Jupyter listens on port 9417, and the tunnel leads to {there}: that number is the last.")
    if host == "c3":
        if not jump:
            problems.append("The laptop does not reach c3 by itself: log in to cluster, or jump over it with -J.")
        if target not in TARGETS:
            problems.append(f"The tunnel ends at c3 and goes on to {target}: Jupyter runs on c3.")
    elif host != "login.cluster.example":
        problems.append(f"The command logs in to {host}: log in to cluster.")
    elif target != "c3":
        problems.append(
            f"The name in the middle is resolved on the login node, where {target} is not c3: name the compute node."
        )
    return problems
