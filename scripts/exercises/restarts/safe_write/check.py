"""Kill the learner's ``save`` in the middle of its write, and look at what is left."""

import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = 4 * 2**20
# The child reaches its limit on file sizes half-way: the kernel ends it there (SIGXFSZ), with no chance to tidy up.
KILLED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size} // 2, {size} // 2))
"""
# What reaches the disk when cannot be seen from outside: the order of the calls can.
WATCHED = """
import os
calls, fsync, replace, rename = [], os.fsync, os.replace, os.rename
os.fsync = lambda file: (calls.append("fsync"), fsync(file))
os.replace = lambda old, new, **more: (calls.append("rename"), replace(old, new, **more))
os.rename = lambda old, new, **more: (calls.append("rename"), rename(old, new, **more))
"""
SAVE = """
import importlib.util
from pathlib import Path
spec = importlib.util.spec_from_file_location("mine", {program!r})
mine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mine)
mine.save({letter!r} * {size}, Path({target!r}))
"""


def check(path: Path) -> list[str]:
    """What is still wrong with ``save`` in the Python file ``path``: empty if nothing."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "step-00000010.pt"
        before, after = b"A" * SIZE, b"B" * SIZE
        target.write_bytes(before)
        killed = _run(KILLED.format(size=SIZE), path, target)
        if killed.returncode >= 0:
            return [f"save() did not write its {SIZE // 2**20} MiB to a file: {_last_line(killed)}"]
        if target.read_bytes() != before:
            return [
                f"Killed in the middle of the write, it leaves {target.stat().st_size} of {SIZE} bytes under the final "
                "name: the old checkpoint is gone, the new one is torn. Write to another name first, then rename."
            ]
        finished = _run(WATCHED, path, target, "print(calls)")
        if finished.returncode:
            return [f"After a killed save(), the next one fails: {_last_line(finished)}"]
        if target.read_bytes() != after:
            return ["A save() that nobody disturbs does not put the content under the final name."]
        return _order(finished.stdout)


def _order(calls: str) -> list[str]:
    if "rename" not in calls:
        return ["Use os.replace (or Path.replace) for the last step: it is all or nothing."]
    if "fsync" not in calls.partition("rename")[0]:
        return [
            "Nothing waits until the content is on the disk: call flush() and os.fsync() before the rename, "
            "or a crash of the node may keep the new name without its content."
        ]
    return []


def _run(first: str, program: Path, target: Path, last: str = "") -> subprocess.CompletedProcess:
    save = SAVE.format(program=str(Path(program).resolve()), letter=b"B", size=SIZE, target=str(target))
    return subprocess.run([sys.executable, "-c", first + save + last], capture_output=True, text=True, timeout=60)


def _last_line(done: subprocess.CompletedProcess) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else "no message"
