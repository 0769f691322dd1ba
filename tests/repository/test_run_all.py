"""The test runner itself: it counts tests, names what did not run, and calls a skip a failure where it must."""

import importlib.util
import sys

import pytest

from workshop.paths import REPO


@pytest.fixture(scope="module")
def run_all():
    spec = importlib.util.spec_from_file_location("run_all", REPO / "tests" / "run_all.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_all"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def one_part(run_all, tmp_path):
    """A part whose folder holds a passing and a skipped test."""
    skips = "def test_skips():\n    pytest.skip('no such part here')\n"
    (tmp_path / "test_two.py").write_text(f"import pytest\n\ndef test_runs():\n    assert True\n\n{skips}")
    run_all.REPORTS.mkdir(parents=True, exist_ok=True)
    return run_all.Part("self test", tests=[str(tmp_path)])


def test_a_skipped_test_is_counted_and_named(run_all, one_part, capfd):
    result = run_all.run_part(one_part, quick=False, strict=False)
    assert (result.good, result.tests, len(result.skipped)) == (True, 2, 1)
    assert run_all.summary([result], None, strict=False)
    printed = capfd.readouterr().out
    assert "1 tests did not run" in printed
    assert "no such part here" in printed


def test_a_skipped_test_fails_a_strict_run(run_all, one_part):
    result = run_all.run_part(one_part, quick=False, strict=True)
    assert not result.good


def test_a_failing_command_fails_the_run(run_all):
    result = run_all.run_part(run_all.Part("self test", [sys.executable, "-c", "raise SystemExit(3)"]), False, False)
    assert not result.good
    assert not run_all.summary([result], None, strict=False)


def test_a_few_failed_tests_are_tried_again_and_named(run_all, tmp_path, monkeypatch, capfd):
    code = "import pathlib\n\nMARK = pathlib.Path(__file__).with_name('mark')\n\n\ndef test_once():\n"
    code += "    known = MARK.exists()\n    MARK.touch()\n    assert known\n\n\ndef test_good():\n    pass\n"
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "test_some.py").write_text(code)
    monkeypatch.setattr(run_all, "HERE", tmp_path)
    run_all.REPORTS.mkdir(parents=True, exist_ok=True)
    part = run_all.Part("self test again", tests=["some"])
    result = run_all.run_part(part, quick=False, strict=True)
    assert (result.good, result.tests, result.failures) == (True, 2, [])
    assert run_all.summary([result], None, strict=True)
    assert "second try only (1):\n  some/test_some.py::test_once" in capfd.readouterr().out
    (tmp_path / "some" / "test_some.py").write_text(code.replace("assert known", "assert not MARK.exists()"))
    result = run_all.run_part(part, quick=False, strict=True)
    assert (result.good, len(result.failures), result.second_try) == (False, 1, [])


def test_what_failed_is_repeated_at_the_end(run_all, tmp_path, capfd):
    (tmp_path / "test_bad.py").write_text("def test_bad():\n    raise ValueError('the cause')\n")
    run_all.REPORTS.mkdir(parents=True, exist_ok=True)
    tests = run_all.run_part(run_all.Part("self test bad", tests=[str(tmp_path)]), False, False)
    build = run_all.Part("self test build", [sys.executable, "-c", "raise SystemExit('the other cause')"])
    rest = run_all.Part("self test rest", [sys.executable, "-c", "print('buries it')"], needs="self test build")
    results = run_all.run_parts([build, rest], False, False)
    assert [r.good for r in results] == [False, False]
    capfd.readouterr()
    assert not run_all.summary([tests, *results], None, strict=False)
    end = capfd.readouterr().out.partition("What failed (3;")[2]
    for words in ("test_bad.py::test_bad", "the cause", "the other cause", "not run, since self test build failed"):
        assert words in end
    assert "buries it" not in end


def test_two_lanes_keep_the_order_and_an_alone_part_waits(run_all, tmp_path, capfd):
    run_all.REPORTS.mkdir(parents=True, exist_ok=True)
    mark = tmp_path / "mark"

    def python(code):
        return [sys.executable, "-c", code]

    slow = python(f"import time, pathlib; time.sleep(0.5); pathlib.Path({str(mark)!r}).touch(); print('slow is done')")
    chosen = [
        run_all.Part("self test slow", slow, beside=True),
        run_all.Part("self test now", python(f"import os; raise SystemExit(os.path.exists({str(mark)!r}))")),
        run_all.Part(
            "self test alone", python(f"import os; raise SystemExit(not os.path.exists({str(mark)!r}))"), alone=True
        ),
    ]
    results = run_all.run_parts(chosen, False, False)
    assert [r.part.name for r in results] == [part.name for part in chosen]
    assert all(r.good for r in results)
    assert "slow is done" in capfd.readouterr().out
    chosen[0].command = python("raise SystemExit(3)")
    mark.unlink()
    assert [r.good for r in run_all.run_parts(chosen[:2], False, False)] == [False, True]


def test_every_test_folder_belongs_to_a_part(run_all):
    folders = {p.parent.name for p in (REPO / "tests").glob("*/test_*.py")}
    assert folders == {folder for part in run_all.parts(False) for folder in part.tests}


def test_missing_packages_are_named_with_the_command(run_all, monkeypatch):
    monkeypatch.setattr(run_all, "missing_packages", lambda: ["slurm-wlm"])
    monkeypatch.setattr(run_all.os, "geteuid", lambda: 1000)
    assert "apt-get install --yes --no-install-recommends slurm-wlm" in run_all.install_system_packages()
