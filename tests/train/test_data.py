"""The datasets: the formats that torchvision reads, one split for all, and refusals that say what to do."""

import argparse
import hashlib
import pickle
import struct
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy
import pytest
import torch
from amount import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import data
import models
from train_running import clean_environment


def write_mnist(folder, count: int = 80) -> numpy.ndarray:
    """MNIST's IDX files (big-endian header, then bytes), tiny; returns the labels of the training file."""
    raw = folder / "MNIST" / "raw"
    raw.mkdir(parents=True)
    random = numpy.random.default_rng(1)
    for part, n in (("train", count), ("t10k", 10)):
        pixels = random.integers(0, 256, (n, 28, 28), dtype=numpy.uint8)
        labels = random.integers(0, 10, n, dtype=numpy.uint8)
        pixels[numpy.arange(n), labels, :] = 255  # something to learn: a bright row
        header = struct.pack(">HBB3I", 0, 8, 3, n, 28, 28)
        (raw / f"{part}-images-idx3-ubyte").write_bytes(header + pixels.tobytes())
        (raw / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">HBBI", 0, 8, 1, n) + labels.tobytes())
        if part == "train":
            kept = labels
    return kept


def write_cifar10(folder, monkeypatch, per_file: int = 20) -> list[int]:
    """CIFAR-10's pickled batches, tiny; torchvision's checksums are replaced by those of our files."""
    from torchvision.datasets import CIFAR10

    target = folder / "cifar-10-batches-py"
    target.mkdir(parents=True)
    random = numpy.random.default_rng(2)
    labels, sums = [], {}

    def write(name: str, content: dict) -> None:
        blob = pickle.dumps(content)
        (target / name).write_bytes(blob)
        sums[name] = hashlib.md5(blob).hexdigest()

    for name in [f"data_batch_{n}" for n in range(1, 6)] + ["test_batch"]:
        some = random.integers(0, 10, per_file).tolist()
        write(name, {"data": random.integers(0, 256, (per_file, 3072), dtype=numpy.uint8), "labels": some})
        labels += some if name != "test_batch" else []
    write("batches.meta", {"label_names": [f"class {n}" for n in range(10)]})
    monkeypatch.setattr(CIFAR10, "train_list", [[n, sums[n]] for n in sums if n.startswith("data_batch")])
    monkeypatch.setattr(CIFAR10, "test_list", [["test_batch", sums["test_batch"]]])
    monkeypatch.setattr(CIFAR10, "meta", CIFAR10.meta | {"md5": sums["batches.meta"]})
    return labels


def test_digits():
    train, validation = data.load("digits")
    assert (len(train), len(validation), train.shape) == (1424, 373, (1, 8, 8))
    images = torch.stack([image for image, _ in train])
    assert abs(images.mean().item()) < 0.02 and abs(images.std().item() - 1) < 0.02


def test_the_file_of_digits_is_scikit_learns_and_can_be_made_again(tmp_path):
    from sklearn.datasets import load_digits

    theirs, ours = load_digits(), data._digits()
    assert numpy.array_equal(ours.pixels.squeeze(1).numpy(), theirs.images), "exactly: 0 … 16 fit into bytes"
    assert numpy.array_equal(ours.labels.numpy(), theirs.target)
    assert (ours.pixels.dtype, ours.labels.dtype) == (torch.uint8, torch.int64)
    again = tmp_path / "again.npz"
    program = data.DIGITS.with_name("make_digits.py")
    subprocess.run([sys.executable, program, "--out", again], check=True, timeout=100)
    with numpy.load(data.DIGITS) as committed, numpy.load(again) as made:
        assert set(committed) == set(made) == {"images", "labels"}
        assert all(numpy.array_equal(committed[name], made[name]) for name in committed)


def test_a_copy_of_data_py_without_its_digits_says_what_to_copy(monkeypatch, tmp_path):
    monkeypatch.setattr(data, "DIGITS", tmp_path / "digits.npz")
    with pytest.raises(SystemExit, match=rf"no {tmp_path}/digits.npz\n  Copy digits.npz too"):
        data.load("digits")


def test_no_training_program_imports_scikit_learn():
    """Its import costs more than half a second of every start of every rank."""
    makers = {"make_archive.py", "make_digits.py", "make_photos.py"}
    users = {path.name for path in data.DIGITS.parent.glob("*.py") if "sklearn" in path.read_text()}
    assert users == makers


def test_the_split_is_the_same_whatever_the_seed_and_leaks_nothing():
    parts = []
    for seed in (0, 123):
        torch.manual_seed(seed)
        parts.append(data.load("digits"))
    assert torch.equal(parts[0][0].pixels, parts[1][0].pixels)
    assert torch.equal(parts[0][1].pixels, parts[1][1].pixels)
    everything = data._digits()
    order = torch.cat([parts[0][0].pixels, parts[0][1].pixels])
    count = lambda pixels: sorted(image.numpy().tobytes() for image in pixels)  # noqa: E731
    assert count(order) == count(everything.pixels), "each image is in exactly one part"


@pytest.mark.parametrize("size", [20, 100, 1797, 1801])
def test_the_training_part_can_be_shared(size):
    train, validation = data.split(data._synthetic(size, 8, 10))
    assert len(train) % 16 == 0 and len(train) + len(validation) == size and len(validation) > 0


def test_too_few_images_are_refused():
    """Nothing would be left to train on, and the mean loss of no image is no number."""
    with pytest.raises(SystemExit, match=r"19 images .* at least 20"):
        data.load("synthetic", samples=19)
    assert len(data.load("synthetic", samples=20)[0]) == 16


def test_mnist_files(tmp_path):
    labels = write_mnist(tmp_path)
    train, validation = data.load("mnist", tmp_path)
    assert (len(train), len(validation), train.shape) == (64, 16, (1, 28, 28))
    assert sorted([*train.labels.tolist(), *validation.labels.tolist()]) == sorted(labels.tolist())
    image, label = train[0]
    assert image.dtype == torch.float32 and train.pixels[0, 0, label].min() == 255


def test_training_on_mnist_files(train, tmp_path):
    write_mnist(tmp_path / "mine", count=200)
    done = train("one_device.py", "--dataset", "mnist", "--data-dir", tmp_path / "mine", "--epochs", 2)
    assert done.status == 0, done.err
    assert done.result["epochs"] == 2 and done.result["train_loss"] < 2.5


def test_cifar10_files(tmp_path, monkeypatch):
    labels = write_cifar10(tmp_path, monkeypatch)
    train, validation = data.load("cifar10", tmp_path)
    assert (len(train), len(validation), train.shape) == (80, 20, (3, 32, 32))
    assert sorted([*train.labels.tolist(), *validation.labels.tolist()]) == sorted(labels)
    scores = models.build("cnn", train.shape, train.classes)(torch.stack([train[0][0], train[1][0]]))
    assert scores.shape == (2, 10)


@pytest.mark.parametrize("name", ["mnist", "cifar10"])
def test_missing_files_are_never_downloaded(train, tmp_path, name):
    done = train("one_device.py", "--dataset", name, "--data-dir", "nothing-here")
    assert done.status == 1 and "Traceback" not in done.err
    assert f"{name} is not in {tmp_path}/nothing-here" in done.err and "--download" in done.err
    assert not (tmp_path / "nothing-here").exists()


def test_synthetic_images_have_the_shape_asked_for_and_say_that_they_are_random(train):
    images, _ = data.load("synthetic", samples=40, image_size=224, classes=1000)
    assert images.shape == (3, 224, 224) and images.classes == 1000
    done = train("one_device.py", "--dataset", "synthetic", "--samples", 64, "--epochs", 1)
    assert done.status == 0 and "synthetic" in done.out.splitlines()[1]


def test_resnet50_fits_any_channels():
    for channels in (1, 3):
        model = models.build("resnet50", (channels, 32, 32), 10).eval()
        assert model(torch.zeros(1, channels, 32, 32)).shape == (1, 10)
    with pytest.raises(ValueError, match="unknown model"):
        models.build("resnet", (3, 32, 32), 10)
    with pytest.raises(ValueError, match="unknown dataset"):
        data.load("imagenet")


def test_batches_of_bytes_equal_single_images():
    images, _ = data.load("digits", samples=100)
    pixels, labels = images.as_bytes()[[3, 1, 4]]
    assert pixels.dtype == torch.uint8
    for position, index in enumerate((3, 1, 4)):
        assert torch.equal(images.normalized(pixels)[position], images[index][0])
        assert labels[position] == images[index][1]


def test_data_program_shows_a_folder(train, tmp_path):
    write_mnist(tmp_path / "data")
    done = train("data.py", "--dataset", "mnist", env=clean_environment())
    assert done.out == "mnist: 64 training and 16 validation images, 1 x 28 x 28, 10 classes\n"


def test_folder_of_images_is_the_archive_of_digits(tmp_path):
    """make_archive.py writes the digits; unpacked and read again, the parts are those of the built-in set, 15-fold."""
    program = Path(data.__file__).with_name("make_archive.py")
    archive = tmp_path / "deep" / "digits.tar"
    subprocess.run([sys.executable, program, archive], check=True, timeout=100)
    with tarfile.open(archive) as file:
        file.extractall(tmp_path, filter="data")
    for ours, built_in in zip(data.load("folder", tmp_path / "digits"), data.load("digits"), strict=True):
        assert torch.equal(ours.pixels, 15 * built_in.pixels)
        assert torch.equal(ours.labels, built_in.labels)
    assert [path.name for path in archive.parent.iterdir()] == ["digits.tar"]


def test_folder_without_or_with_wrong_images(tmp_path):
    with pytest.raises(SystemExit, match=r"(?s)no LABEL/NAME\.png in .*Unpack the archive first"):
        data.load("folder", tmp_path)
    (tmp_path / "0").mkdir()
    for name, size in (("a", (8, 8)), ("b", (8, 9))):
        Image.new("L", size).save(tmp_path / "0" / f"{name}.png")
    with pytest.raises(SystemExit, match="not of the others' size"):
        data.load("folder", tmp_path)


# --- random numbers of the augmentation


def splitmix64(x: int) -> int:
    """The finalizer as its authors write it, with unsigned numbers."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
    return x ^ (x >> 31)


@settings(deadline=None, max_examples=examples(200))
@given(st.integers(-(2**63), 2**64), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 50))
def test_random_numbers_are_those_of_the_paper_for_any_seed_and_epoch(seed, epoch, index, position):
    x = index * -7046029254386353131 + position * 6364136223846793005 + 1 + seed * 1442695040888963407
    x = (x % 2**64) ^ (epoch * 3202034522624059733 % 2**64)
    found = data.random_numbers(seed, epoch, torch.tensor([3, index]), position + 1)[1, position].item()
    assert found == (splitmix64(x) >> 11) / 2**53


def test_random_numbers_fill_the_range_and_differ():
    numbers = data.random_numbers(1, 9, torch.arange(10_000), 3)
    assert numbers.min() >= 0 and numbers.max() < 1 and len(numbers.unique()) == numbers.numel()
    counts = torch.histc(numbers.float(), 10, 0, 1)
    assert (counts - 3000).abs().max() < 300
    assert abs(torch.corrcoef(numbers.T)[0, 1]) < 0.05


@pytest.mark.parametrize("mirror", [False, True])
def test_an_augmented_image_is_a_shifted_one_mirrored_or_not(mirror):
    images = data.load("synthetic", samples=80, image_size=16)[0]
    augmented = images.augmented(1, mirror)
    augmented.set_epoch(30)
    pixels, _ = augmented.take(torch.arange(len(images)))
    kinds = [kind_of_move(images.pixels[n], pixels[n], most=2) for n in range(len(images))]
    assert {mirrored for _, _, mirrored in kinds} == ({False, True} if mirror else {False})
    assert {row for row, _, _ in kinds} == {column for _, column, _ in kinds} == set(range(5))


def kind_of_move(before: torch.Tensor, after: torch.Tensor, most: int) -> tuple[int, int, bool]:
    """By how many rows and columns the image moved (from 0), and whether it is mirrored."""
    size = before.shape[-1]
    for mirrored in (False, True):
        wider = torch.nn.functional.pad(before, (most,) * 4)
        for row in range(2 * most + 1):
            for column in range(2 * most + 1):
                part = wider[:, row : row + size, column : column + size]
                if torch.equal(part.flip(2) if mirrored else part, after):
                    return row, column, mirrored
    raise AssertionError("another image")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--dataset digits --image-size 64", "--image-size 64 changes nothing with --dataset digits"),
        ("--dataset shards --classes 100", "--classes 100 changes nothing with --dataset shards"),
        ("--data-dir mine", "--data-dir mine changes nothing with --dataset digits"),
        ("--dataset synthetic --data-dir mine", "--data-dir mine changes nothing with --dataset synthetic"),
        ("--dataset synthetic --model resnet50 --dropout 0.1", "--dropout is for the small CNN: resnet50 has none"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(words, why):
    parser = argparse.ArgumentParser()
    data.add_options(parser)
    models.add_options(parser)
    args = parser.parse_args(words.split())
    with pytest.raises(SystemExit, match=why):
        models.from_options(args, data.from_options(args)[0])


def test_only_what_can_be_fetched_is_fetched(train):
    done = train("data.py", "--download")
    assert done.status == 2 and "--download fetches mnist or cifar10: --dataset digits needs none" in done.err
