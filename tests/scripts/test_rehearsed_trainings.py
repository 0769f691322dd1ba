"""Real trainings in rehearsed PBS and LSF jobs: one on several nodes, one told to stop, one that loses a rank.

What the other scripts start is recorded in test_rehearsed.py; what these reach must be what one process reaches.
"""

import signal

import pytest
from job_results import assert_same_training, result_of
from job_training import Disturbance
from test_rehearsed import BOTH, assert_good, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@BOTH
def test_ddp_multi_node(workplace, scheduler, one_process):
    result = run(workplace, scheduler, "ddp_multi_node")
    assert_good(result)
    assert "world_size=4 " in result.stdout
    assert_same_training(result_of(result.stdout), one_process("ddp.py", 5))


@BOTH
def test_requeue(workplace, scheduler, one_process):
    """Told to stop in its third epoch, the job goes back into the queue (PBS: a new job) and trains on."""
    stop = Disturbance(workplace, "requeue-", signal.SIGTERM, all_ranks=True)
    stop.start()
    result = run(workplace, scheduler, "requeue")
    stop.join()
    assert stop.hit == 2
    last = result.submitted[0] if scheduler == "pbs" else result
    if scheduler == "pbs":
        assert "Exit_status" in result.exit_text and len(result.submitted) == 1
    else:
        assert result.restarts == 1
    assert_good(last)
    assert "checkpoint: going on from" in last.stdout
    assert_same_training(result_of(last.stdout), one_process("ddp.py", 10))


@BOTH
def test_checkpoint_chain(workplace, scheduler, one_process):
    """A rank is killed in its third epoch: the job fails, its successor trains on; the next one is not needed."""
    crash = Disturbance(workplace, "chain-", signal.SIGKILL, all_ranks=False)
    crash.start()
    result = run(workplace, scheduler, "checkpoint_chain", depth=3)
    crash.join()
    assert crash.hit == 1
    assert result.exit_code != 0
    second = result.submitted[0]
    assert_good(second)
    assert "checkpoint: going on from" in second.stdout
    assert_same_training(result_of(second.stdout), one_process("ddp.py", 10))
    assert [job.state for job in second.submitted] == ["NOT STARTED"]
