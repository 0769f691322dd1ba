"""Images and labels for the training programs: digits, MNIST, CIFAR-10, a folder of images, or synthetic ones.

    train, validation = data.load("digits")

Nothing is ever downloaded by a training program: compute nodes often have no way out. Fetch on a
login node, once:

    python scripts/train/data.py --dataset mnist --data-dir data --download

Sources: digits are those of scikit-learn (https://scikit-learn.org/stable/datasets/toy_dataset.html), written once into
scripts/train/digits.npz by make_digits.py, so that a training does not import scikit-learn only for that.
MNIST and CIFAR-10 are read by torchvision (https://docs.pytorch.org/vision/stable/datasets.html).
A folder holds one folder for each label, as make_archive.py writes it: --dataset folder --data-dir DIR
Shards hold JPEGs that are too many for memory: see shards.py.
"""

import argparse
import copy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

import options

NAMES = ("digits", "mnist", "cifar10", "folder", "shards", "synthetic")
DIGITS = Path(__file__).with_name("digits.npz")
SPLIT_SEED = 20240229  # fixed forever: every rank, every run and every --seed validates on the same images
TRAIN_FRACTION = 0.8
SHARE = 16  # the training part is a multiple of this, so that 2, 4, 8 or 16 ranks share it without a remainder
LEAST = 20  # images, of which four fifths are one such share
DATA_DIR, IMAGE_SIZE, CLASSES = "data", 32, 10  # where the command line says nothing else
# Options that the other data sets would ignore.
TAKEN_BY = {
    "data_dir": (DATA_DIR, ("mnist", "cifar10", "folder", "shards")),
    "image_size": (IMAGE_SIZE, ("shards", "synthetic")),
    "classes": (CLASSES, ("synthetic",)),
}


class Images(Dataset):
    """Images kept as bytes, normalized when asked for.

    ``pixels``: uint8 [n, channels, height, width]; ``labels``: int64 [n]; ``mean`` and ``std`` in
    units of a pixel. An index gives one image and its label, a list of indices a batch of them.
    """

    augmentation: "Augmentation | None" = None
    in_memory = True

    def __init__(self, pixels: torch.Tensor, labels: torch.Tensor, mean: float, std: float, classes: int = 10):
        self.pixels, self.labels, self.mean, self.std, self.classes = pixels, labels, mean, std, classes
        self.bytes_only = False

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int | list[int]) -> tuple[torch.Tensor, torch.Tensor]:
        one = not isinstance(index, list)
        pixels, labels = self.take(torch.tensor([index] if one else index))
        if one:
            pixels, labels = pixels[0], labels[0]
        return pixels if self.bytes_only else self.normalized(pixels), labels

    def take(self, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Bytes, augmented if that is on, and labels of the images with these numbers (int64 [n])."""
        pixels = self.pixels.index_select(0, indices)
        if self.augmentation:
            pixels = self.augmentation(pixels, indices)
        return pixels, self.labels.index_select(0, indices)

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch begins: the augmentation is another one in each."""
        if self.augmentation:
            self.augmentation.epoch.fill_(epoch)

    def normalized(self, pixels: torch.Tensor) -> torch.Tensor:
        """Bytes -> floats around 0; works on any device."""
        return (pixels.float() - self.mean) / self.std

    def as_bytes(self) -> "Images":
        """The same images, handed out as bytes: a quarter of the data to move; the receiver normalizes."""
        images = copy.copy(self)
        images.bytes_only = True
        return images

    def augmented(self, seed: int, mirror: bool) -> "Images":
        """The same images, moved a little at random, and mirrored if ``mirror``."""
        images = copy.copy(self)
        images.augmentation = Augmentation(seed, mirror)
        return images

    def to(self, device: torch.device) -> "Images":
        """The same images in the memory of ``device``: batches are then taken out there."""
        images = copy.copy(self)
        images.pixels, images.labels = self.pixels.to(device), self.labels.to(device)
        return images

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image."""
        return tuple(self.pixels.shape[1:])

    def part(self, indices: torch.Tensor) -> "Images":
        """The images with these indices."""
        return Images(self.pixels[indices], self.labels[indices], self.mean, self.std, self.classes)


class Augmentation:
    """Random shifts, and mirror images where that makes sense: other ones in each epoch.

    The random numbers are a function of (seed, epoch, number of the image) and of nothing else. So they do
    not depend on ranks, workers or the device, no two images share them, and a restart inside an epoch
    goes on with the right ones.
    """

    def __init__(self, seed: int, mirror: bool):
        self.seed, self.mirror = seed, mirror
        # Shared memory: workers that live longer than an epoch must see the next one's number.
        self.epoch = torch.zeros((), dtype=torch.int64).share_memory_()

    def __call__(self, pixels: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        """``pixels``: uint8 [n, channels, height, width] of the images ``indices`` (int64 [n]); the same shape."""
        n, channels, height, width = pixels.shape
        random = random_numbers(self.seed, int(self.epoch), indices, 3)
        most = max(1, min(height, width) // 8)  # pixels in each direction; what comes in is black
        shift = (random[:, :2] * (2 * most + 1)).long()
        rows = shift[:, 0, None] + torch.arange(height, device=pixels.device)
        columns = shift[:, 1, None] + torch.arange(width, device=pixels.device)
        if self.mirror:
            columns = torch.where(random[:, 2, None] < 0.5, columns.flip(1), columns)
        wider = torch.nn.functional.pad(pixels, (most, most, most, most))
        images = torch.arange(n, device=pixels.device)[:, None, None, None]
        planes = torch.arange(channels, device=pixels.device)[:, None, None]
        return wider[images, planes, rows[:, None, :, None], columns[:, None, None, :]]


def random_numbers(seed: int, epoch: int, indices: Tensor, count: int) -> Tensor:
    """``count`` random numbers in [0, 1) for each index: float64 [n, count].

    The finalizer of SplitMix64 (Steele, Lea, Flood 2014,
    https://doi.org/10.1145/2714064.2660195) over a number made of seed, epoch, index
    and position, modulo 2**64; the same on every device.
    """

    def signed(number: int) -> int:  # int64 wraps around, Python's numbers do not
        return (number + 2**63) % 2**64 - 2**63

    position = torch.arange(count, device=indices.device)
    x = indices[:, None] * -7046029254386353131 + position * 6364136223846793005 + 1
    x = x + signed(seed * 1442695040888963407)
    x = x ^ signed(epoch * 3202034522624059733)
    rounds = ((30, -4658895280553007687), (27, -7723592293110705685), (31, 1))
    for shift, factor in rounds:
        mask = (1 << (64 - shift)) - 1  # since >> keeps the sign
        x = (x ^ ((x >> shift) & mask)) * factor
    return ((x >> 11) & ((1 << 53) - 1)).double() / (1 << 53)


def load(
    name: str,
    data_dir: str | Path = "data",
    samples: int | None = None,
    image_size: int = 32,
    classes: int = 10,
) -> tuple[Images, Images]:
    """The training and the validation part of a dataset: the same on every rank and in every run.

    The official test images of MNIST and CIFAR-10 are left alone: they are for the day when all
    choices are made. ``samples`` takes only the first so many (of synthetic ones: makes so many,
    2048 by default); ``image_size`` and ``classes`` shape the synthetic ones. SystemExit with a
    message if ``data_dir`` lacks the files.
    """
    if name == "synthetic":
        images = _synthetic(samples or 2048, image_size, classes)
    elif name == "digits":
        images = _digits()
    elif name in ("mnist", "cifar10"):
        images = _torchvision(name, Path(data_dir))
    elif name == "folder":
        images = _folder(Path(data_dir))
    elif name == "shards":
        images = _shards(Path(data_dir), image_size)
    else:
        raise ValueError(f"unknown dataset {name!r}: choose one of {', '.join(NAMES)}")
    if samples is not None:
        images = images.part(torch.arange(min(samples, len(images))))
    train, validation = split(images)
    if not len(train):
        raise SystemExit(f"data: {len(images)} images are too few: a training needs at least {LEAST}")
    return train, validation


def split(images: Images) -> tuple[Images, Images]:
    """About four fifths for training (a multiple of 16, see SHARE), the rest for validation."""
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(SPLIT_SEED))
    train_size = int(TRAIN_FRACTION * len(images)) // SHARE * SHARE
    return images.part(order[:train_size]), images.part(order[train_size:])


def _digits() -> Images:
    try:
        with np.load(DIGITS) as digits:  # uint8: 1797 images of 8 x 8, pixels 0 … 16, and their labels
            pixels, labels = torch.from_numpy(digits["images"]), torch.from_numpy(digits["labels"])
    except FileNotFoundError:
        raise SystemExit(
            f"data: no {DIGITS}\n  Copy digits.npz too: it lies beside data.py. make_digits.py writes it anew."
        ) from None
    return Images(pixels.unsqueeze(1), labels.long(), mean=4.88, std=6.02)


def _torchvision(name: str, folder: Path, download: bool = False) -> Images:
    from torchvision import datasets

    kind = {"mnist": datasets.MNIST, "cifar10": datasets.CIFAR10}[name]
    try:
        raw = kind(str(folder), train=True, download=download)
    except RuntimeError as error:
        raise SystemExit(
            f"data: {name} is not in {folder.resolve()} ({str(error).splitlines()[0]})\n"
            f"  Get it where there is a network: python scripts/train/data.py --dataset {name} "
            f"--data-dir {folder} --download\n  or name the folder that has it with --data-dir."
        ) from None
    if name == "mnist":
        return Images(raw.data.unsqueeze(1), raw.targets.long(), mean=33.3, std=78.6)
    pixels = torch.from_numpy(raw.data).permute(0, 3, 1, 2).contiguous()
    return Images(pixels, torch.tensor(raw.targets, dtype=torch.int64), mean=120.7, std=64.2)


def _folder(folder: Path) -> Images:
    """Grey images of one size in ``folder/LABEL/NAME.png``, in the order of their names; each is read once."""
    from PIL import Image

    paths = sorted(folder.glob("*/*.png"), key=lambda path: path.name)
    if not paths:
        raise SystemExit(
            f"data: no LABEL/NAME.png in {folder.resolve()}\n"
            "  Unpack the archive first (see scripts/slurm/stage_data.sbatch), or name its folder with --data-dir."
        )
    try:
        pixels = torch.from_numpy(np.stack([np.asarray(Image.open(path)) for path in paths])).unsqueeze(1)
    except (OSError, ValueError) as error:
        raise SystemExit(
            f"data: an image in {folder.resolve()} is damaged, or not of the others' size: {error}"
        ) from None
    names = sorted({path.parent.name for path in paths})
    labels = torch.tensor([names.index(path.parent.name) for path in paths])
    values = pixels.double()
    return Images(pixels, labels, values.mean().item(), values.std().item(), classes=len(names))


def _shards(folder: Path, image_size: int) -> Images:
    from shards import Shards  # here, since the other data sets need nothing of it

    return Shards(folder, image_size)


def _synthetic(samples: int, image_size: int, classes: int) -> Images:
    """Random pixels, random labels: good for timing, and nothing can be learnt from them."""
    generator = torch.Generator().manual_seed(SPLIT_SEED)
    size = 3 * image_size**2 * samples  # bytes; eight at a time is eight times as fast
    numbers = torch.empty(-(-size // 8), dtype=torch.int64).random_(-(2**63), None, generator=generator)
    pixels = numbers.view(torch.uint8)[:size].view(samples, 3, image_size, image_size)
    labels = torch.randint(0, classes, (samples,), generator=generator)
    return Images(pixels, labels, mean=127.5, std=73.9, classes=classes)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which data to take: the same in every program."""
    group = parser.add_argument_group("data")
    group.add_argument("--dataset", choices=NAMES, default="digits", help="images to learn (default: digits)")
    group.add_argument("--data-dir", default=DATA_DIR, metavar="DIR", help="folder of the files (default: data)")
    group.add_argument("--augment", action="store_true", help="shift (and mirror) the training images at random")
    group.add_argument(
        "--samples", type=options.at_least(2), metavar="N", help="take only the first N images; synthetic: make N"
    )
    group.add_argument(
        "--image-size",
        type=options.at_least(4),
        default=IMAGE_SIZE,
        metavar="PIXELS",
        help="synthetic, shards (default: 32)",
    )
    group.add_argument(
        "--classes", type=options.at_least(2), default=CLASSES, metavar="N", help="synthetic only (default: 10)"
    )


def from_options(args: argparse.Namespace) -> tuple[Images, Images]:
    """The training and the validation part that the options ask for; SystemExit if one of them would be ignored."""
    for name, (default, takers) in TAKEN_BY.items():
        if getattr(args, name) != default and args.dataset not in takers:
            option = f"--{name.replace('_', '-')} {getattr(args, name)}"
            raise SystemExit(f"data: {option} changes nothing with --dataset {args.dataset}: leave it out "
                             f"(it is for {', '.join(takers)})")  # fmt: skip
    train_set, val_set = load(args.dataset, args.data_dir, args.samples, args.image_size, args.classes)
    if args.augment:
        mirror = args.dataset in ("cifar10", "shards", "synthetic")  # a mirrored digit is no digit
        train_set = train_set.augmented(getattr(args, "seed", 1), mirror)
    return train_set, val_set


def main() -> None:
    """Download where asked, then show what is there."""
    parser = argparse.ArgumentParser(description="Fetch a dataset, or show what is in a folder.")
    add_options(parser)
    parser.add_argument("--download", action="store_true", help="fetch MNIST or CIFAR-10 into --data-dir first")
    args = parser.parse_args()
    if args.download and args.dataset not in ("mnist", "cifar10"):
        parser.error(f"--download fetches mnist or cifar10: --dataset {args.dataset} needs none")
    if args.download:
        _torchvision(args.dataset, Path(args.data_dir), download=True)
    train, validation = from_options(args)
    channels, height, width = train.shape
    print(f"{args.dataset}: {len(train)} training and {len(validation)} validation images, "
          f"{channels} x {height} x {width}, {train.classes} classes")  # fmt: skip


if __name__ == "__main__":
    main()
