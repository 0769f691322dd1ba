"""PyTorch's ImageNet example: the numbers in what it prints, and the folders that it wants."""

import subprocess
import sys
import time

import measure_example
import pytest

PRINTED = """=> creating model 'resnet50'
Epoch: [0][ 1/50]\tTime  5.000 ( 5.000)\tData  1.830 ( 1.830)\tLoss 7.3051e+00 (7.3051e+00)
Epoch: [0][11/50]\tTime  0.229 ( 1.000)\tData  0.000 ( 0.167)\tLoss 1.1582e+01 (2.7062e+01)
Epoch: [0][21/50]\tTime  1.016 ( 0.600)\tData  0.000 ( 0.091)\tLoss 4.8479e+00 (1.8139e+01)
Epoch: [0][31/50]\tTime  0.126 ( 0.450)\tData  0.000 ( 0.063)\tLoss 4.7779e+00 (1.3634e+01)
Test: [1/2]\tTime  1.648 ( 1.648)\tLoss 1.2687e+02 (1.2687e+02)
"""


def test_rates_are_those_after_the_first_eleven_steps():
    """Seconds until then: 11, 12.6 and 13.95, so 1.6 s and 1.35 s for ten steps."""
    assert measure_example.rates(PRINTED) == pytest.approx([2560 / 1.6, 2560 / 1.35])
    assert measure_example.rates("Traceback (most recent call last):") == []


def test_photos_are_laid_out_as_the_example_wants_them(tmp_path):
    for label in ("cat", "dog"):
        (tmp_path / "photos" / label).mkdir(parents=True)
        for number in range(measure_example.SHOWN + 3):
            (tmp_path / "photos" / label / f"{number:03d}.jpg").write_bytes(b"a picture")
    for _ in range(2):  # a second run finds all in place
        measure_example.link(tmp_path / "photos", tmp_path / "data")
    train, val = sorted((tmp_path / "data").glob("train/*/*.jpg")), sorted((tmp_path / "data").glob("val/*/*.jpg"))
    assert (len(train), len(val)) == (2 * measure_example.SHOWN + 6, 2 * measure_example.SHOWN)
    assert all(path.read_bytes() == b"a picture" for path in train + val)


def test_what_was_printed_before_the_time_was_over_counts(monkeypatch, tmp_path):
    """After its steps the example validates and saves: no need to wait for that."""
    (tmp_path / "main.py").write_text(
        f"import pathlib, time\nprint({PRINTED!r}, flush=True)\npathlib.Path('printed').touch()\ntime.sleep(99)\n"
    )
    words = ("--trial", "--timeout", "70", "--out", "out.json", "--commit", "c0ffee")
    monkeypatch.setattr(sys, "argv", ["measure_example.py", str(tmp_path / "main.py"), str(tmp_path), *words])
    really, limits = subprocess.Popen.communicate, []

    def communicate(process, timeout):
        limits.append(timeout)
        if len(limits) > 1:
            return really(process, timeout=timeout)
        while not (tmp_path / "printed").exists():
            assert process.poll() is None, process.stdout.read()
            time.sleep(0.01)
        raise subprocess.TimeoutExpired("main.py", timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", communicate)
    found = measure_example.measure(measure_example.parse_arguments(), tmp_path)
    assert found["steady_images_per_s_max"] == pytest.approx(4 * 10 / 1.35, abs=0.1)
    assert found["ended"] == "no result within 70 s"
