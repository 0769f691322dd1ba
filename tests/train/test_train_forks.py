"""A fork is a process like any other: what the tests of the training programs rely on."""

import json
import signal
import socket
import sys
from pathlib import Path

import pytest

from train_running import clean_environment, run_command

SAY = """
import json, os, signal, sys
print("out"); print("err", file=sys.stderr)
facts = {"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ), "name": __name__, "file": __file__}
facts |= {"threads": len(os.listdir("/proc/self/task")), "torch": "torch" in sys.modules, "path": sys.path[0]}
facts |= {"parents": len(os.listdir(f"/proc/{os.getppid()}/task")), "term": str(signal.getsignal(signal.SIGTERM))}
json.dump(facts, open("facts.json", "w"))
"""


def test_a_fork_has_its_own_words_folder_environment_and_streams(train, tmp_path):
    program = tmp_path / "say.py"
    program.write_text(SAY)
    done = train(program, "--a", 1, env=clean_environment(MINE="yes"))
    facts = json.loads((tmp_path / "facts.json").read_text())
    assert (done.status, done.out, done.err) == (0, "out\n", "err\n")
    assert (facts["argv"], facts["cwd"], facts["name"]) == (["--a", "1"], str(tmp_path), "__main__")
    assert (facts["file"], facts["path"]) == (str(program), str(tmp_path))
    assert facts["env"] == clean_environment(MINE="yes")
    assert facts["torch"], "its parent has imported it"
    assert facts["threads"] == facts["parents"] == 1, "who forks must have no threads"
    assert facts["term"] == str(signal.SIG_DFL)


ENDS = [
    "pass",
    "import sys; sys.exit(3)",
    "raise SystemExit('why')",
    "raise SystemExit(None)",
    "import os; os._exit(4)",
    "1 / 0",
    "import threading; threading.Timer(0.2, print, ['late']).start()",
    "import atexit; atexit.register(print, 'bye')",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
]


@pytest.mark.parametrize("code", ENDS)
def test_a_fork_ends_as_python_does(train, tmp_path, code):
    program = tmp_path / "end.py"
    program.write_text(f"print('begun')\n{code}\n")
    theirs, ours = run_command([sys.executable, str(program)], tmp_path), train(program)
    assert (ours.status, ours.out) == (theirs.status, theirs.out)
    assert ours.err.splitlines()[-1:] == theirs.err.splitlines()[-1:]
    assert bool(ours.err) == bool(theirs.err)


def test_when_a_rank_fails_the_others_are_ended(forks, tmp_path):
    program = tmp_path / "one.py"
    program.write_text("import os, time\nif os.environ['RANK'] == '1': raise SystemExit(5)\ntime.sleep(600)\n")
    ranks = forks.start(program, ranks=2, cwd=tmp_path, streams=[tmp_path / "log"])
    assert ranks.wait_like_torchrun(60) == 5
    assert ranks.statuses == [-signal.SIGKILL, 5]
    assert not any(Path(f"/proc/{pid}").exists() for pid in ranks.pids)


def test_a_rank_that_does_not_end_fails_the_test(forks, tmp_path):
    program = tmp_path / "sleep.py"
    program.write_text("import time\nprint('I sleep')\ntime.sleep(600)\n")
    ranks = forks.start(program, cwd=tmp_path, streams=[tmp_path / "log"])
    ranks.wait_for(ranks.said)
    where = r'(?s)did not end within 0.1 s: \[None\]\nI sleep\n.*sleep.py", line 3 in <module>'
    with pytest.raises(pytest.fail.Exception, match=where):
        ranks.wait(0.1)
    assert ranks.statuses == [-signal.SIGABRT]


def test_a_kept_port_is_nobody_elses_until_a_program_listens(forks):
    with forks.keep_port() as keeper:
        port = int(forks.port_of(keeper))
        others = [socket.socket() for _ in range(50)]
        for other in others:
            other.bind(("127.0.0.1", 0))
        assert port not in {other.getsockname()[1] for other in others}
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))
        with socket.socket() as program:
            program.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            program.bind(("0.0.0.0", port))
            program.listen()
        for other in others:
            other.close()
