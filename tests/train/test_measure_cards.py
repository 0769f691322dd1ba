"""The series for several cards: every command is one that its program takes, and a file that stands is gone on with."""

import importlib
import json
import sys
from pathlib import Path

import make_photos
import make_shards
import measure_cards
import measure_stages
import pytest

SERIES = ("scaling", "links", "table")


@pytest.mark.parametrize("cards", [2, 4])
@pytest.mark.parametrize("series", SERIES)
def test_each_piece_is_a_command_that_its_program_takes(series, cards, monkeypatch):
    found = measure_cards.pieces(series, cards, measure_cards.FULL, Path("packed"))
    assert next(iter(found.values())).cards in (1, cards)
    for name, piece in found.items():
        program, *words = piece.program
        monkeypatch.setattr(sys, "argv", [program, *words])
        args = importlib.import_module(program.removesuffix(".py")).parse_arguments()
        assert args.batch_size % piece.cards == 0 or program == "bare_loop.py", name


def test_jpegs_are_left_out_without_shards():
    assert not [name for name in measure_cards.pieces("scaling", 4, measure_cards.FULL, None) if "JPEG" in name]


def call(monkeypatch, *words) -> None:
    monkeypatch.setattr(sys, "argv", ["measure_cards.py", *map(str, words)])
    measure_cards.main()


def test_a_series_goes_on_where_it_stopped(monkeypatch, tmp_path):
    out, name = tmp_path / "table.json", "one_device, 1"
    monkeypatch.chdir(tmp_path)
    words = ("table", "--trial", "--cards", 2, "--only", name, "--out", out)
    call(monkeypatch, *words, "--seconds", 1000)
    first = json.loads(out.read_text())
    assert first["pieces"][name]["images_per_s"] > 0 and first["pieces"][name]["epochs"] == 1
    call(monkeypatch, *words)
    assert json.loads(out.read_text()) == first
    with pytest.raises(SystemExit, match="has other results"):
        call(monkeypatch, "links", "--trial", "--out", out)
    with pytest.raises(SystemExit, match="no piece"):
        call(monkeypatch, "links", "--trial", "--only", "none", "--out", tmp_path / "new.json")


def test_a_piece_that_hangs_costs_only_itself(monkeypatch, tmp_path, capsys):
    """DataParallel that hung did not heed TERM."""
    deaf = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(999)"
    )
    monkeypatch.setattr(measure_stages, "PATIENCE_S", 1)
    monkeypatch.setattr(measure_cards, "command", lambda piece, runs: [sys.executable, "-c", deaf])
    todo = {"deaf": measure_cards.Piece((), 1, 5), "no time": measure_cards.Piece((), 1, 1e6)}
    record = {"pieces": {}}
    end = measure_cards.time.monotonic() + 1000
    measure_cards.run_series(todo, record, tmp_path / "out.json", tmp_path, tmp_path, end)
    written = json.loads((tmp_path / "out.json").read_text())["pieces"]
    assert list(written) == ["deaf"] and written["deaf"]["failed"] == "no result within 5 s"
    assert "no time: left out" in capsys.readouterr().out


def test_a_trial_needs_no_gpu_and_no_compiler():
    for series in SERIES:
        for piece in measure_cards.pieces(series, 2, measure_cards.TRIAL, Path("packed")).values():
            assert not set(measure_cards.without_gpu(piece).program) & {"--compile", "--graphs", "--decode"}


@pytest.mark.extensive
@pytest.mark.parametrize("series", SERIES)
def test_all_pieces_run_on_a_cpu(series, monkeypatch, tmp_path):
    """Also two agents, as if on two nodes, and JPEGs."""
    monkeypatch.chdir(tmp_path)
    make_photos.write(Path("photos"), 40)
    make_shards.write(Path("photos"), Path("packed"), 40)
    words = ("--trial", "--cards", 2, "--shards", "packed", "--seconds", 5000, "--out", tmp_path / "out.json")
    call(monkeypatch, series, *words)
    found = json.loads((tmp_path / "out.json").read_text())["pieces"]
    assert list(found) == list(measure_cards.pieces(series, 2, measure_cards.TRIAL, Path("packed")))
    assert not {name: piece for name, piece in found.items() if "failed" in piece}
    if series == "links":
        assert "world_size=2" in found["two agents"]["first_line"]
