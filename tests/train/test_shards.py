"""Shards: images read out of archives by their number; each once an epoch, whoever loads them and wherever it stops."""

import argparse
import collections
import contextlib
import ctypes
import io
import json
import multiprocessing
import os
import re
import runpy
import shutil
import signal
import tarfile
import threading
import types
from pathlib import Path

import make_shards
import numpy as np
import photos
import pytest
import torch
from amount import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import data
import shards
import train_hold
from train_running import TRAIN

IMAGES, SIZE = 50, 32
TRAINED = int(data.TRAIN_FRACTION * IMAGES) // data.SHARE * data.SHARE


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """50 images with a label each, in four archives."""
    place = tmp_path_factory.mktemp("shards")
    photos.write(place / "photos", IMAGES)
    make_shards.write(place / "photos", place / "packed", 15)
    return place


def test_each_image_is_found_by_its_number(folder):
    images = shards.Shards(folder / "packed", SIZE)
    assert (len(images), images.classes, images.shape) == (IMAGES, IMAGES, (3, SIZE, SIZE))
    assert len(images.names) == 4 and sorted(images.labels.tolist()) == list(range(IMAGES))
    for number in range(IMAGES):
        path = folder / "photos" / f"{images.labels[number] + 10:03d}" / "piece.jpg"
        with Image.open(path) as image:
            assert images._decoded(number).tobytes() == image.convert("RGB").tobytes(), path


def test_archives_are_plain_ones_and_can_be_indexed_again(folder, tmp_path):
    for path in (folder / "packed").glob("*.tar"):
        os.link(path, tmp_path / path.name)
    with tarfile.open(tmp_path / "shard-00000.tar") as archive:
        assert all(Path(name).name == "piece.jpg" for name in archive.getnames())
    make_shards.write_index(tmp_path)
    ours, theirs = (shards.Shards(place, SIZE) for place in (tmp_path, folder / "packed"))
    assert ours.places.tolist() == theirs.places.tolist() and torch.equal(ours.labels, theirs.labels)


def test_what_does_not_fit_is_said(folder, tmp_path):
    with pytest.raises(SystemExit, match=r"(?s)cannot read .*\n  Make the index: .*make_shards.py --index-only"):
        shards.Shards(tmp_path, SIZE)
    for path in (folder / "packed").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    torn = tmp_path / "shard-00001.tar"
    torn.write_bytes(torn.read_bytes()[:-512])
    with pytest.raises(SystemExit, match="not the index of these archives"):
        shards.Shards(tmp_path, SIZE)
    torn.write_bytes(bytes(torn.stat().st_size + 512))
    images = shards.Shards(tmp_path, SIZE)
    with pytest.raises(ValueError, match=r"shard-00001\.tar, the image at byte \d+: no image\n"):
        images[[15]]
    with pytest.raises(SystemExit, match=r"no LABEL/NAME\.jpg"):
        make_shards.write(tmp_path, tmp_path / "out", 10)
    with pytest.raises(SystemExit, match=r"no \*.tar with LABEL/NAME\.jpg"):
        make_shards.write_index(folder / "photos")
    with pytest.raises(SystemExit, match=r"there are archives in .*/packed: remove them"):
        make_shards.write(folder / "photos", folder / "packed", 10)


def test_only_images_are_indexed_and_each_needs_a_label(folder, tmp_path):
    names = {"a/1.JPG": "010", "b/2.jpeg": "011", "b/notes.txt": "012"}
    with tarfile.open(tmp_path / "made-elsewhere.tar", "w") as archive:
        for name, piece in names.items():
            archive.add(folder / "photos" / piece / "piece.jpg", name)
    make_shards.write_index(tmp_path)
    images = shards.Shards(tmp_path, SIZE)
    assert images.labels.tolist() == [0, 1] and len(images[[0, 1]][0]) == 2
    with tarfile.open(tmp_path / "made-elsewhere.tar", "a") as archive:
        archive.add(folder / "photos" / "010" / "piece.jpg", "1.jpg")
    with pytest.raises(SystemExit, match="images without a folder that names their label"):
        make_shards.write_index(tmp_path)
    for content in (b"no archive" * 100, (folder / "packed" / "shard-00000.tar").read_bytes()[:700]):
        (tmp_path / "other.tar").write_bytes(content)
        with pytest.raises(SystemExit, match=r"^make_shards: .*other\.tar is no whole tar archive: [^\n]*$"):
            make_shards.write_index(tmp_path)


def test_augmentation_depends_on_seed_epoch_and_number_alone(folder):
    images = shards.Shards(folder / "packed", SIZE).as_bytes()
    one, other = images.augmented(1, mirror=True), images.augmented(2, mirror=True)
    first, _ = one[[7, 8, 9]]
    assert first.shape == (3, 3, SIZE, SIZE) and first.dtype == torch.uint8
    assert torch.equal(first[1], one[8][0]), "one at a time or in a batch"
    assert not torch.equal(first, other[[7, 8, 9]][0])
    one.set_epoch(1)
    assert not torch.equal(first, one[[7, 8, 9]][0])
    one.set_epoch(0)
    assert torch.equal(first, one[[7, 8, 9]][0])


@settings(deadline=None, max_examples=examples(200))
@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 10**6))
def test_a_random_box_lies_in_the_image(height, width, index):
    random = data.random_numbers(1, 0, torch.tensor([index]), 4 * shards.TRIES + 1)
    left, top, right, bottom = shards.random_boxes(torch.tensor([[height, width]]), random)[0].tolist()
    assert 0 <= left < right <= width and 0 <= top < bottom <= height


def test_random_boxes_are_of_all_sizes_and_places():
    random = data.random_numbers(1, 0, torch.arange(2000), 4 * shards.TRIES + 1)
    boxes = shards.random_boxes(torch.tensor([[375, 500]] * 2000), random).tolist()
    areas = sorted((right - left) * (bottom - top) / (375 * 500) for left, top, right, bottom in boxes)
    assert areas[0] < 0.1 and areas[-1] > 0.9 and 0.35 < areas[1000] < 0.55
    assert sum(top + bottom < 375 for _, top, _, bottom in boxes) == pytest.approx(1000, abs=100)
    wide = sum(right - left > bottom - top for left, top, right, bottom in boxes)
    assert wide > 1000, "a wide image has room for more wide parts"


def images_of(content: torch.Tensor, table: torch.Tensor) -> list[Image.Image]:
    """What a GPU would decode: the images of Shards.take_files, looked at by their addresses."""
    places = [(int(start), int(start + length)) for start, length in table[:, 1:3].tolist()]
    return [Image.open(io.BytesIO(content[start:end].numpy().tobytes())) for start, end in places]


def test_a_gpu_gets_the_files_and_the_parts_to_show(folder):
    images = shards.Shards(folder / "packed", SIZE).augmented(1, mirror=True)
    numbers = torch.tensor([7, 3, 44, 3])
    content, array = images.encoded()[numbers.tolist()]
    table = torch.from_numpy(array)
    assert content.dtype == torch.uint8 and table.shape == (4, gpu_jpeg_columns())
    files = [content[int(start) : int(start + length)] for start, length in table[:, 1:3].tolist()]
    assert [bytes(file.numpy()) for file in files] == [images._content(number) for number in numbers.tolist()]
    assert sum(map(len, files)) == len(content) and table[:, 0].long().tolist() == images.labels[numbers].tolist()
    sizes = [(image.height, image.width) for image in images_of(content, table)]
    assert table[:, 3:5].long().tolist() == [list(size) for size in sizes]
    boxes, mirrored = images._boxes(numbers, sizes)
    assert torch.equal(table[:, 5:9].float(), boxes) and table[:, 9].bool().tolist() == mirrored.tolist()


def gpu_jpeg_columns() -> int:
    """Counted in the source: the module itself needs Triton."""
    source = (TRAIN / "gpu_jpeg.py").read_text()
    return int(re.search(r"^COLUMNS = (\d+)", source, re.M)[1])


def test_what_a_gpus_engine_does_not_know_is_written_anew(tmp_path):
    """Progressive, CMYK, PNG: the part of an image is the same whoever decodes it."""
    from sklearn.datasets import load_sample_images
    from torchvision.transforms.functional import pil_to_tensor  # its import brings in half of PyTorch's compiler

    place = tmp_path / "photos" / "0"
    place.mkdir(parents=True)
    photo = Image.fromarray(load_sample_images().images[0]).resize((120, 90))
    photo.save(place / "1.jpg", quality=90)
    photo.convert("L").save(place / "2.jpg", quality=90)
    photo.save(place / "3.jpg", quality=90, progressive=True)
    photo.convert("CMYK").save(place / "4.jpg", quality=90)
    photo.save(place / "5.png")
    (place / "5.png").rename(place / "5.jpg")
    make_shards.write(tmp_path / "photos", tmp_path / "packed", 10)
    images = shards.Shards(tmp_path / "packed", SIZE)
    numbers = list(range(5))
    seen, kept = images_of(*images.encoded()[numbers]), 0
    for number, image in zip(numbers, seen, strict=True):
        assert image.format == "JPEG" and image.size == (120, 90) and "progressive" not in image.info
        assert image.mode in ("L", "RGB")
        kept += image.fp.getvalue() == images._content(number)
        expected = pil_to_tensor(images._decoded(number)).float()
        assert (pil_to_tensor(image.convert("RGB")).float() - expected).abs().mean() < 4
    assert kept == 2, "only the usual ones are handed on as they are"


def test_a_gpu_cuts_the_same_parts_out(folder, monkeypatch):
    """The kernel, run by Triton's interpreter, and PIL agree on what lies where, for images of several sizes."""
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    import gpu_jpeg
    from torchvision.transforms.functional import pil_to_tensor

    images = shards.Shards(folder / "packed", SIZE).augmented(1, mirror=True)
    numbers = torch.arange(8)
    expected, _ = images.take(numbers)
    content, table = images.take_files(numbers)
    planes = [pil_to_tensor(image).flatten() for image in images_of(content, table)]
    table[:, gpu_jpeg.START] = torch.tensor([0, *map(len, planes[:-1])]).cumsum(0)
    found = gpu_jpeg.cut(torch.cat(planes), table, SIZE)
    assert 0 < table[:, gpu_jpeg.MIRRORED].sum() < 8, "some of them"
    for one, other in zip(found.float(), expected.float(), strict=True):
        right, mirrored = (one - other).abs().mean(), (one.flip(2) - other).abs().mean()
        assert right < 4 and right < mirrored / 2


class LateGpu:
    """A GPU as bad as it may be: it decodes at once, and cuts out only when somebody waits for it."""

    def __init__(self):
        self.late: list = []
        self.batches: list[int] = [0]  # images of each state of the decoder

    def Event(self, blocking: bool):
        return types.SimpleNamespace(record=lambda: None, synchronize=self.finish)

    def Stream(self, _device, priority: int):
        return types.SimpleNamespace(cuda_stream=priority)

    def finish(self) -> None:
        while self.late:
            self.late.pop(0)()

    def nvjpegDecodeBatched(self, _handle, state, files, lengths, images, _stream) -> int:
        """Fill each image with the first byte of its "file"."""
        count = self.batches[state.value]
        files, lengths = ((ctypes.c_uint64 * count).from_address(place) for place in (files, lengths))
        images = np.ctypeslib.as_array((ctypes.c_uint64 * 8 * count).from_address(images))
        for file, length, (*planes, width, _, _, _) in zip(files, lengths, images.tolist(), strict=True):
            first = ctypes.string_at(file, length)[0]
            for plane in planes[:3]:
                ctypes.memset(plane, first, width * HEIGHT)
        return 0

    def nvjpegDecodeBatchedInitialize(self, _handle, state, count: int, *_) -> int:
        self.batches[state.value] = count
        return 0

    def nvjpegJpegStateCreate(self, _handle, reference) -> int:
        reference._obj.value = len(self.batches)
        self.batches.append(0)
        return 0

    def nvjpegCreateEx(self, *_) -> int:
        return 0

    def cut(self, pixels: torch.Tensor, table: torch.Tensor, _size: int) -> torch.Tensor:
        parts = torch.zeros(len(table), dtype=torch.uint8)
        self.late.append(lambda: parts.copy_(pixels[table[:, 1].long()]))
        return parts


HEIGHT = 4


def test_a_buffer_is_used_again_only_when_its_parts_are_cut_out(monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    import gpu_jpeg

    gpu = LateGpu()
    for name in ("Event", "Stream"):
        monkeypatch.setattr(torch.cuda, name, getattr(gpu, name))
    monkeypatch.setattr(torch.cuda, "stream", lambda _: contextlib.nullcontext())
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda tensor: tensor)
    monkeypatch.setattr(gpu_jpeg, "load_library", lambda: gpu)
    monkeypatch.setattr(gpu_jpeg, "cut", gpu.cut)
    decoder, found = gpu_jpeg.Decoder(torch.device("cpu"), SIZE), []
    for number in range(4 * gpu_jpeg.BUFFERS):
        images = 2 + number % 2  # smaller and larger batches take turns
        content = torch.full((5 * images,), number, dtype=torch.uint8)
        table = torch.zeros(images, gpu_jpeg.COLUMNS, dtype=torch.float64)
        table[:, gpu_jpeg.START], table[:, gpu_jpeg.LENGTH] = 5 * torch.arange(images), 5
        table[:, gpu_jpeg.HEIGHT], table[:, gpu_jpeg.WIDTH] = HEIGHT, 3 + torch.arange(images)
        (parts, labels), event = decoder(content, table)
        assert len(labels) == images
        found.append(parts)
    event.synchronize()
    assert [parts.tolist() for parts in found] == [[n] * (2 + n % 2) for n in range(len(found))]


# --- each image once an epoch


def seen(folder: Path) -> dict[int, list[int]]:
    """Epoch -> labels in its steps, of all ranks, sorted."""
    found = collections.defaultdict(list)
    for path in folder.glob("seen-*"):
        for line in path.read_text().splitlines():
            epoch, label = map(int, line.split())
            found[epoch].append(label)
    return {epoch: sorted(labels) for epoch, labels in found.items()}


@pytest.mark.parametrize("decode", ["cpu", "gpu"])
def test_two_ranks_and_three_workers_see_each_image_once_an_epoch_also_after_a_stop(forks, folder, tmp_path, decode):
    options = (
        *("--dataset", "shards", "--data-dir", folder / "packed", "--image-size", SIZE, "--augment", "--epochs", 3),
        *("--batch-size", 8, "--workers", 3, "--checkpoint-every", 1, "--check-every", 1, "--timeout", 30),
        *("--deterministic", "--decode", decode),
    )
    decoding = train_hold.decoding_without_gpu if decode == "gpu" else lambda before=None: before
    split = data.split(shards.Shards(folder / "packed", SIZE))[0]
    expected = sorted(split.labels.tolist())
    assert len(expected) == len(set(expected)) == TRAINED
    signs, steps = tmp_path / "signs", TRAINED // 8
    signs.mkdir()
    how = {"ranks": 2, "cwd": tmp_path, "streams": [tmp_path / "log"]}
    hold = train_hold.noting_labels(tmp_path, decoding(train_hold.at_checkpoint(steps + 1, signs)))
    run = forks.start("ddp_fast.py", *options, **how, before=hold)
    run.wait_for((signs / "held").exists)
    run.signal(1, signal.SIGTERM)
    (signs / "go").touch()
    assert run.wait(60) == [0, 0], run.said()
    stopped = seen(tmp_path)
    assert f"stopped by SIGTERM at step {steps + 2}" in run.said() and stopped[0] == expected
    assert len(stopped[1]) == 16 and 2 not in stopped, "two steps of the second epoch"
    again = forks.start("ddp_fast.py", *options, **how, before=train_hold.noting_labels(tmp_path, decoding()))
    assert again.wait(60) == [0, 0], again.said()
    assert seen(tmp_path) == {0: expected, 1: expected, 2: expected}


def test_shards_can_be_named_on_the_command_line(folder):
    parser = argparse.ArgumentParser()
    data.add_options(parser)
    args = parser.parse_args(["--dataset", "shards", "--data-dir", str(folder / "packed"), "--image-size", "24"])
    train_set, val_set = data.from_options(args)
    assert train_set.shape == (3, 24, 24) and len(train_set) + len(val_set) == IMAGES
    assert train_set[3][0].dtype == torch.float32 and abs(train_set[3][0].mean()) < 3


def test_photos_are_made_packed_and_measured(train, tmp_path):
    done = train("make_photos.py", "photos", "--images", 40)
    assert done.status == 0 and done.lines[-1].startswith("photos: 40 images of "), done.err
    assert train("make_shards.py", "photos", "packed", "--images", 15).status == 0
    where = ("--data-dir", "packed", "--files", "photos", "--out", "feed.json")
    done = train("measure_feed.py", *where, "--workers", 0, 1, "--batch-size", 8, "--repeats", 1, "--image-size", SIZE)
    assert done.status == 0, done.err
    record = json.loads((tmp_path / "feed.json").read_text())
    assert record["setting"]["images"] == 32 and record["setting"]["bytes_an_image"] > 20_000
    assert list(record["images_per_s"]) == ["read files", "read shards", "0 workers", "1 workers"]
    assert all(rate > 0 for rates in record["images_per_s"].values() for rate in rates)


def test_small_files_and_archives_are_measured_side_by_side(train, tmp_path):
    done = train("measure_files.py", "disk", "--images", 12, "--repeats", 2, "--out", "files.json")
    assert done.status == 0, done.err
    record = json.loads((tmp_path / "files.json").read_text())
    stages = record["stages"]
    assert (stages["files"]["files"], stages["shards"]["files"]) == (12, 2), "an archive and its index"
    assert stages["files"]["bytes"] < stages["shards"]["bytes"] < stages["files"]["bytes"] + 40_000
    for action in ("list", "copy", "read", "again", "remove"):
        for row in stages.values():
            assert 0 <= row[f"{action}_ms_min"] <= row[f"{action}_ms"] <= row[f"{action}_ms_max"]
    assert record["hardware"]["file_system"] and done.lines[-1].startswith("shards")
    assert list((tmp_path / "disk").iterdir()) == [], "all that it made is removed"


def test_workers_of_one_row_end_before_those_of_the_next_begin(folder, tmp_path, monkeypatch):
    """Else they take its cores; and a worker that inherited them complains when it ends."""
    import measure_feed

    found, rates = [], measure_feed.rates

    def noting(work, repeats: int) -> list[float]:
        found.append(multiprocessing.active_children())
        return rates(work, repeats)

    monkeypatch.setattr(measure_feed, "rates", noting)
    where = ["--data-dir", str(folder / "packed"), "--image-size", str(SIZE), "--out", str(tmp_path / "feed.json")]
    options = [*where, "--workers", "1", "1", "--batch-size", "8", "--repeats", "1"]
    monkeypatch.setattr("sys.argv", ["measure_feed.py", *options])
    measure_feed.main()
    assert found == [[]] * 3, "shards read, and a worker twice"


def test_parts_of_an_input_are_left_out(train, folder, tmp_path):
    common = ("--data-dir", folder / "packed", "--image-size", SIZE, "--repeats", 2, "--out", "parts.json")
    done = train("profile_input.py", *common, "--batch-size", 1, "--workers", 1, "--readers", 1)
    assert done.status == 0, done.err
    record = json.loads((tmp_path / "parts.json").read_text())
    assert list(record["parts"]) == ["one batch", "1 workers", "reading"] and record["host_ms"] > 0
    for part in record["parts"].values():
        assert len(part["step_ms"]) == 2 and part["images_per_s"] > 0
        assert len(part["waited_ms"]) == 2 and all(
            a < b for a, b in zip(part["waited_ms"], part["step_ms"], strict=True)
        )
    done = train("profile_input.py", *common, "--batch-size", 2)
    assert done.status == 1 and "profile_input: 32 training images are no 30 batches of 2" in done.err
    done = train("profile_input.py", "--dataset", "digits", "--out", "parts.json")
    assert done.status == 1 and "for images that are read" in done.err


def test_what_the_decoder_says_reaches_the_training_loop_in_order(folder, monkeypatch):
    """Two threads decode: the first batch comes first though it takes longest, and an error takes its batch's place."""
    import feed

    later, images = threading.Event(), shards.Shards(folder / "packed", SIZE)
    first = images.take_files(torch.arange(4))[1]

    def decode(_content, table):
        if torch.equal(table, first):
            assert later.wait(20), "nobody decodes the second batch meanwhile"
        later.set()
        if table[0, 0] == images.labels[8]:
            raise RuntimeError("a damaged JPEG")
        return [table, table[:, 0].long()], None

    assert len(set(images.labels[:12].tolist())) == 12
    monkeypatch.setattr(feed, "new_decoder", lambda _device, _size: decode)
    batches = iter(feed.Feed(images, list(range(12)), 4, torch.device("cpu"), 0, torch.Generator(), "gpu"))
    assert next(batches)[1].tolist() == images.labels[:4].tolist()
    assert next(batches)[1].tolist() == images.labels[4:8].tolist()
    with pytest.raises(RuntimeError, match="a damaged JPEG\nThe CPUs can decode each image of this batch"):
        next(batches)


@pytest.fixture
def one_cut_off(folder, tmp_path) -> tuple[Path, str]:
    """Shards in which one JPEG of a training part ends in the middle of its pixels, and which one: archive and name."""
    images = shards.Shards(folder / "packed", SIZE)
    label = data.split(images)[0].labels[5].item()
    path = folder / "photos" / f"{label + 10:03d}" / "piece.jpg"
    place = tmp_path / "photos" / path.parent.name
    shutil.copytree(folder / "photos", tmp_path / "photos")
    (place / "piece.jpg").write_bytes(path.read_bytes()[:-400])
    make_shards.write(tmp_path / "photos", tmp_path / "packed", 15)
    name = f"{place.name}/piece.jpg"
    for path in (tmp_path / "packed").glob("*.tar"):
        with tarfile.open(path) as archive:
            if name in archive.getnames():
                where = path
    return tmp_path / "packed", f"{where}, {name}: image file is truncated"


@pytest.mark.parametrize("decode", ["cpu", "gpu"])
def test_a_jpeg_that_is_cut_off_is_named_and_nothing_is_trained_on_it(forks, train, one_cut_off, decode):
    packed, named = one_cut_off
    options = ("--dataset", "shards", "--data-dir", packed, "--image-size", SIZE, "--batch-size", 8, "--epochs", 1)
    before = train_hold.decoding_without_gpu() if decode == "gpu" else None
    done = train("ddp_fast.py", *options, "--workers", 1, "--decode", decode, before=before)
    assert done.status == 1 and "epoch 1/1" not in done.out
    assert re.search(named, done.err), done.err


def test_images_that_the_gpus_decoder_refuses_are_named(one_cut_off, monkeypatch):
    """Whatever it refuses: here a file that was whole when the worker looked at it."""
    import feed

    packed, named = one_cut_off

    def decode(_content, _table):
        raise RuntimeError("an incomplete JPEG")

    monkeypatch.setattr(feed, "new_decoder", lambda _device, _size: decode)
    monkeypatch.setattr(shards, "END_OF_JPEG", b"")
    images, _ = data.split(shards.Shards(packed, SIZE))
    batches = iter(feed.Feed(images, range(len(images)), 16, torch.device("cpu"), 0, torch.Generator(), "gpu"))
    with pytest.raises(RuntimeError, match=f"an incomplete JPEG\n{named}"):
        next(batches)


def test_a_feed_without_images_has_no_batch():
    """A job that was stopped after the last step of an epoch goes on there: a batch of no images would be a step."""
    import feed

    images = data.load("digits", samples=20)[0]
    for numbers, batches in ([], 0), (range(4), 1), (range(5), 2):
        fed = feed.Feed(images, numbers, 4, torch.device("cpu"), 0, torch.Generator())
        assert len(list(fed)) == len(fed) == batches


def test_the_gpu_gets_more_queues_unless_somebody_has_said_how_many(monkeypatch):
    name = "CUDA_DEVICE_MAX_CONNECTIONS"
    monkeypatch.setenv(name, "1")
    runpy.run_path(str(TRAIN / "feed.py"), run_name="feed")
    assert os.environ[name] == "1"
    monkeypatch.delenv(name)
    runpy.run_path(str(TRAIN / "feed.py"), run_name="feed")
    assert os.environ[name] == "32"


def test_what_needs_a_gpu_says_so(train, folder):
    shards_of = ("--dataset", "shards", "--data-dir", folder / "packed", "--image-size", SIZE)
    done = train("ddp_fast.py", *shards_of, "--decode", "gpu")
    assert done.status == 1 and "feed: --decode gpu needs a GPU: leave it out" in done.err
    done = train("ddp_fast.py", "--decode", "gpu")
    assert done.status == 1 and "feed: --decode gpu is for the JPEGs of --dataset shards" in done.err
    done = train("ddp_fast.py", "--graphs")
    assert done.status == 1 and "models: --graphs needs a GPU: leave it out, or take --compile" in done.err
    done = train("find_waits.py", "one_device.py")
    assert done.status == 1 and done.err.strip() == "find_waits: no GPU is visible, so there is nothing to wait for"
