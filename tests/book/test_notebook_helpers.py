"""What notebooks import: the engine is chosen by what is really there, and only by request a real scheduler."""

import pytest

from workshop import notebook


def test_half_of_a_slurm_is_no_practice_cluster(tmp_path, monkeypatch):
    """The daemons lie in /usr/sbin, where they are found even with a PATH that has no sbatch."""
    monkeypatch.delenv("WORKSHOP_ENGINE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert notebook.engine() == "rehearsal"


def test_pbs_and_lsf_are_rehearsed(monkeypatch):
    monkeypatch.delenv("WORKSHOP_ENGINE", raising=False)
    assert {notebook.engine("pbs"), notebook.engine("lsf")} == {"rehearsal"}


def test_a_real_scheduler_only_on_request(monkeypatch):
    monkeypatch.setenv("WORKSHOP_ENGINE", "real")
    assert notebook.engine() == "real"
    monkeypatch.setenv("WORKSHOP_ENGINE", "slurm")
    with pytest.raises(ValueError, match="practice, rehearsal, real"):
        notebook.engine()


def test_run_uses_this_environment_s_python_and_raises_with_the_exit_code():
    import sys

    assert notebook.run("command -v python", show=False).strip().startswith(sys.prefix)
    with pytest.raises(RuntimeError, match="exit code 3"):
        notebook.run("exit 3", show=False)


def test_submit_rehearses_a_pbs_script(capsys):
    job = notebook.submit("hello", scheduler="pbs")
    assert job.exit_code == 0
    assert "engine: a rehearsal" in capsys.readouterr().out
    for path in job.log_paths:
        path.unlink()
