"""Start the wrapper as Jupyter does, with a stand-in for ``module`` and for the kernel, and look at what arrives."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Stands for the Python of an environment: writes down how it was started.
KERNEL = """#!{python}
import json, os, sys
seen = dict(args=sys.argv[1:], pid=os.getpid(), lib=os.environ.get("MYLIB_HOME"))
open({seen!r}, "w").write(json.dumps(seen))
"""
MODULE = """
module() { [[ "$1" == "load" || "$1" == "add" ]] && [[ "$2" == mylib* ]] && export MYLIB_HOME=/opt/mylib; }
ml() { module load "$1"; }
export -f module ml
"""
ARGUMENTS = ["-m", "ipykernel_launcher", "-f", "/home/ada/my files/kernel-1.json"]


def check(path: Path) -> list[str]:
    """What is still wrong with the wrapper script ``path``: empty if nothing."""
    if not Path(path).read_text().startswith("#!"):
        return ["The first line must be a shebang, #!/bin/bash: Jupyter starts the file itself."]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "init").write_text(MODULE)
        kernel = folder / "bin" / "python"
        kernel.parent.mkdir()
        kernel.write_text(KERNEL.format(python=sys.executable, seen=str(folder / "seen")))
        wrapper = folder / "wrapper"
        wrapper.write_text(Path(path).read_text())
        for program in (kernel, wrapper):
            program.chmod(0o755)
        # A Python elsewhere in the PATH is the wrong one: it is that of the server.
        other = folder / "server" / "python"
        other.parent.mkdir()
        other.write_text("#!/bin/sh\nexit 0\n")
        other.chmod(0o755)
        # A login shell (bash -l) reads no BASH_ENV: there the function comes as an exported one, or from a real Lmod.
        modulefile = folder / "modules" / "mylib" / "1.0.lua"
        modulefile.parent.mkdir(parents=True)
        modulefile.write_text('setenv("MYLIB_HOME", "/opt/mylib")\n')
        env = {**os.environ, "BASH_ENV": str(folder / "init"), "PATH": f"{other.parent}:{os.environ['PATH']}"}
        env |= {"MODULEPATH": str(modulefile.parents[1]), "BASH_FUNC_module%%": MODULE.strip().splitlines()[0][7:]}
        env.pop("MYLIB_HOME", None)
        with subprocess.Popen(
            [str(wrapper), str(kernel), *ARGUMENTS],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            message = process.communicate(timeout=60)[1].strip()
        if not (folder / "seen").exists():
            return [
                "The Python that kernel.json names was never started: run the words that the wrapper is given."
                + (f" It said: {message.splitlines()[-1]}" if message else "")
            ]
        seen = json.loads((folder / "seen").read_text())
    return _problems(seen, process.pid)


def _problems(seen: dict, pid: int) -> list[str]:
    problems = []
    if seen["args"] != ARGUMENTS:
        problems.append(f'The kernel got the arguments {seen["args"]}, not {ARGUMENTS}: hand them on as "$@".')
    if seen["lib"] != "/opt/mylib":
        problems.append("The module was not loaded when the kernel started: MYLIB_HOME is not set there.")
    if seen["pid"] != pid:
        problems.append("A shell stays between Jupyter and the kernel: exec puts the kernel in the shell's place.")
    return problems
