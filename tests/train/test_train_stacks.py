"""A program that lasts too long is ended with all its processes, and the message says what each of them was doing."""

import sys

import psutil
import pytest

from train_running import Job

# As torchrun does: each rank in a session of its own. As a DataLoader does: a worker that is a fork of its rank.
LAUNCHER = """
import os, subprocess, sys, threading, time
from multiprocessing import get_context

def the_worker_has_nothing_to_do():
    open(f"ready-{os.environ['RANK']}", "w").close()
    time.sleep(1000)

def the_rank_waits_for_its_worker():
    worker = get_context("fork").Process(target=the_worker_has_nothing_to_do)
    worker.start()
    worker.join()

def another_thread():
    time.sleep(1000)

def the_launcher_waits_for_its_ranks():
    threading.Thread(target=another_thread, daemon=True).start()
    words = [sys.executable, __file__]
    ranks = [subprocess.Popen(words, env=os.environ | {"RANK": rank}, start_new_session=True) for rank in "01"]
    for rank in ranks:
        rank.wait()

the_rank_waits_for_its_worker() if "RANK" in os.environ else the_launcher_waits_for_its_ranks()
"""


@pytest.mark.parametrize("streams", [["log"], ["out", "err"]])
def test_a_time_limit_says_what_each_process_was_doing(tmp_path, streams):
    program = tmp_path / "launcher.py"
    program.write_text(LAUNCHER)
    job = Job([sys.executable, str(program)], tmp_path, None, [tmp_path / name for name in streams])
    try:
        job.wait_for(lambda: all((tmp_path / f"ready-{rank}").exists() for rank in "01"), 60)
        family = psutil.Process(job.pid).children(recursive=True)
        with pytest.raises(pytest.fail.Exception, match="no end within 0 s") as failure:
            job.wait(0)
    finally:
        job.end()
    about = str(failure.value)
    parts = about.split("\n--- process ")[1:]
    assert [part.count("Fatal Python error: Aborted") for part in parts] == [1] * 5, about
    assert "the_launcher_waits_for_its_ranks" in parts[0] and "another_thread" in parts[0], about
    # A fork has its parent's stack below its own.
    assert sum("in the_rank_waits_for_its_worker" in part for part in parts) == 4, about
    assert sum("in the_worker_has_nothing_to_do" in part for part in parts) == 2, about
    assert len(family) == 4 and not [one for one in family if one.is_running() and one.status() != "zombie"]
