"""Is the environment made on the node's own disk, from the wheels at hand, and without the internet?

The body really runs, in a folder with ``wheels/tinystats-…whl``, a home of its own and no way to any package index.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from workshop.jobs import Script, read_script

INFO = "tinystats-1.0.dist-info"
WHEEL = {
    "tinystats.py": "def mean(values):\n    return sum(values) / len(values)\n",
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: tinystats\nVersion: 1.0\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def check(path: Path) -> list[str]:
    """What is still wrong with the Slurm job script ``path``: one sentence each, empty if nothing."""
    script = read_script(path, scheduler="slurm")
    if "tinystats.mean" not in script.body:
        return ["Keep the last line, which uses tinystats: it shows that the package is there."]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        done = _run(script, folder)
        problems = []
        if any((folder / "home").rglob("pyvenv.cfg")):
            problems.append(
                "The environment lies in the home folder: some thousand small files on the shared disk, and two jobs "
                "would write into the same one. Make it in $TMPDIR, the node's own disk."
            )
        elif any((folder / "work").rglob("pyvenv.cfg")):
            problems.append("The environment lies where the job was submitted, a shared disk: make it in $TMPDIR.")
        elif not any((folder / "disk").rglob("pyvenv.cfg")):
            problems.append("No environment was made in $TMPDIR, the node's own disk.")
        if any((folder / "home").rglob("tinystats.py")) and not problems:
            problems.append("The package was installed below the home folder: install it into the environment.")
        if done.returncode != 0 or "mean: 3.0" not in done.stdout:
            problems.append(
                "tinystats was not installed. There is no internet on the node: let pip look into the folder wheels "
                f"and nowhere else. The job's last words: {_last(done.stdout + done.stderr)}"
            )
        return problems


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and "notice" not in line]
    return lines[-1] if lines else "(none)"


def _run(script: Script, folder: Path) -> subprocess.CompletedProcess:
    for part in ("home", "disk", "work/wheels"):
        (folder / part).mkdir(parents=True)
    with zipfile.ZipFile(folder / "work" / "wheels" / "tinystats-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in WHEEL.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{INFO}/RECORD", "".join(f"{name},,\n" for name in [*WHEEL, f"{INFO}/RECORD"]))
    (folder / "work" / "job.sh").write_text(script.text)
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "BASH_FUNC_", "BASH_ENV"))}
    env |= {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "disk"),
        "SLURM_TMPDIR": str(folder / "disk"),
        "SLURM_SUBMIT_DIR": str(folder / "work"),
        "SLURM_JOB_ID": "4711",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        # As on a node without the internet: nobody answers at this address, and pip does not try again.
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
        "PYTHONPATH": "",
    }
    return subprocess.run(["bash", "job.sh"], cwd=folder / "work", env=env, capture_output=True, text=True, timeout=240)
