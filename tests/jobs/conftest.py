"""A real slurmctld without compute nodes: enough for sbatch to say what it takes and how it reads it."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

# Seconds after which a daemon will neither answer nor end any more, on the busiest machine.
PATIENCE_S = 150
# Cloud nodes count as available although no slurmd runs, so that --test-only gets an answer.
CONFIG = """\
ClusterName=cases
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
SlurmctldPort={port}
SlurmdPort={slurmd_port}
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
DefMemPerCPU=1000
MaxArraySize=100000
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=60
Licenses={licenses}
NodeName=n[1-64] CPUs=128 RealMemory=2000000 Gres={gres} Feature={features} State=CLOUD
"""


@dataclass
class Names:
    """What a set of scripts asks for by name."""

    partitions: set[str] = field(default_factory=lambda: {"standard"})
    gpu_types: set[str] = field(default_factory=lambda: {"a100", "v100"})
    features: set[str] = field(default_factory=lambda: {"cpu"})
    licenses: set[str] = field(default_factory=lambda: {"SCRATCH"})


@dataclass
class Held:
    """What scontrol shows of a held job, and sbatch's answer. ``facts`` is empty where sbatch refused."""

    answer: str
    facts: dict[str, str]


class Controller:
    """Starts munged and slurmctld in a folder of their own; knows nothing of any cluster of this machine."""

    def __init__(self, names: Names) -> None:
        # munged wants every folder above its socket to be open to all, which pytest's folders are not.
        self.folder = Path(tempfile.mkdtemp(prefix="workshop-slurm-"))
        self.folder.chmod(0o711)
        self.names = names
        self.keepers = [socket.socket(), socket.socket()]
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM", "SBATCH"))}
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")
        self.environment["PATH"] += os.pathsep + "/usr/sbin"

    def start(self) -> None:
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self._configure()
        files = {"key-file": key, "socket": "munge.socket", "pid-file": "munged.pid", "log-file": "munged.log"}
        files["seed-file"] = "munge.seed"
        options = [f"--{name}={self.folder / str(path)}" for name, path in files.items()]
        self._run("munged", "--force", *options)
        self._run("slurmctld", "-c")
        self._wait()

    def _configure(self) -> None:
        # Kept until the end: slurmctld may listen on one of them all the same (SO_REUSEADDR), others are not given it.
        for keeper in self.keepers:
            keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            keeper.bind(("", 0))
        ports = [keeper.getsockname()[1] for keeper in self.keepers]
        types = sorted(self.names.gpu_types)
        text = CONFIG.format(
            host=socket.gethostname().split(".")[0],
            user=subprocess.check_output(["id", "-un"], text=True).strip(),
            folder=self.folder,
            port=ports[0],
            slurmd_port=ports[1],
            licenses=",".join(f"{name}:100" for name in sorted(self.names.licenses)),
            gres=",".join(f"gpu:{name}:8" for name in types),
            features=",".join(sorted(self.names.features)),
        )
        for name in sorted(self.names.partitions):
            default = " Default=YES" if name == "standard" else ""
            text += f"PartitionName={name} Nodes=ALL MaxTime=UNLIMITED DefaultTime=120 State=UP{default}\n"
        (self.folder / "slurm.conf").write_text(text)

    def _run(self, *command: str) -> subprocess.CompletedProcess:
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)
        if result.returncode:
            raise RuntimeError(f"{' '.join(command)}: {result.stderr or result.stdout}")
        return result

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            ping = subprocess.run(["scontrol", "ping"], env=self.environment, capture_output=True, text=True)
            if "is UP" in ping.stdout:
                return
            time.sleep(0.2)
        raise RuntimeError((self.folder / "slurmctld.log").read_text()[-2000:])

    def test_only(self, script: Path) -> subprocess.CompletedProcess:
        """``sbatch --test-only``."""
        return subprocess.run(
            ["sbatch", "--test-only", str(script)],
            env=self.environment,
            capture_output=True,
            text=True,
            cwd=self.folder,
            timeout=60,
        )

    def held(self, script: Path) -> Held:
        """Submits a held job, looks at it, cancels it."""
        command = ["sbatch", "--hold", str(script)]
        answer = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, cwd=self.folder, timeout=60
        )
        number = re.search(r"job (\d+)", answer.stdout)
        if not number:
            return Held(answer.stderr, {})
        shown = self._run("scontrol", "show", "job", number[1]).stdout
        self._run("scancel", number[1])
        first = re.split(r"\n\s*\n", shown)[0]
        return Held(answer.stderr, dict(re.findall(r"(?:^|\s)([\w/:]+)=(\S*)", first)))

    def stop(self) -> None:
        for name in ("slurmctld.pid", "munged.pid"):
            with contextlib.suppress(OSError, ValueError, psutil.NoSuchProcess):
                daemon = psutil.Process(int((self.folder / name).read_text()))
                daemon.terminate()
                daemon.wait(PATIENCE_S)
        for keeper in self.keepers:
            keeper.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def controller(require):
    """A controller that knows all names that the cases and their translations ask for."""
    require("slurm")
    from case_names import names_of_all_cases

    running = Controller(names_of_all_cases(Names()))
    try:
        running.start()
        yield running
    finally:
        running.stop()
