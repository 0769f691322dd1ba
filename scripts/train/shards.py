"""Many JPEGs in few files: tar archives with an index, out of which any image is read by its number.

    python scripts/train/make_shards.py FOLDER OUT    FOLDER/LABEL/NAME.jpg -> OUT/shard-00000.tar …, OUT/index.npz

A million small files burden the file system that all jobs share: each must be looked up and opened. Here a rank
opens a few large ones once. `tar` unpacks them, and archives with LABEL/NAME.jpg made elsewhere need only an index.

Why no library. webdataset reads archives from front to end: fine for a store far away, but images are mixed only
within a buffer, shares of ranks and workers can differ, and an epoch cannot be resumed in its middle
(https://github.com/webdataset/webdataset/issues/271). litdata resumes, in a chunk format and with a loader of its
own, whose state belongs to a number of workers (https://github.com/Lightning-AI/litData/issues/316). An image that
has a number needs neither: the sampler of restart.py gives each rank its numbers, once an epoch, in an order over
all of the data, from any point on and for any number of ranks and workers. The price is a read for each image, some
100 KB at a random place: good on a node's own disk and on parallel file systems, not across the internet.
"""

import copy
import io
import os
from pathlib import Path

import numpy as np
import torch
from PIL import Image

import data

INDEX = "index.npz"
MEAN, STD = 114.5, 57.6  # of ImageNet's pixels, all three colors together
AREA, RATIO, TRIES = (0.08, 1.0), (3 / 4, 4 / 3), 10  # of a random crop: torchvision's RandomResizedCrop
SHOWN = 224 / 256  # of the shorter side, without augmentation


class Shards(data.Images):
    """The images of a folder of archives, read and decoded when asked for: uint8 [n, 3, size, size].

    Augmented: a random part of the image, mirrored or not. Otherwise its middle.
    """

    in_memory = False

    def __init__(self, folder: Path, size: int):
        """SystemExit with a message if the index is missing, or not that of the archives."""
        try:
            with np.load(folder / INDEX) as index:
                self.names, lengths, labels = index["names"], index["lengths"], index["labels"]
                self.places = index["places"]  # int64 [n, 3]: archive, first byte, bytes
            there = [(folder / name).stat().st_size for name in self.names]
        except (OSError, KeyError, ValueError) as error:
            make = f"python scripts/train/make_shards.py --index-only {folder}"
            raise SystemExit(f"shards: cannot read {folder}: {error}\n  Make the index: {make}") from None
        if there != lengths.tolist():
            raise SystemExit(f"shards: {folder / INDEX} is not the index of these archives: make it anew")
        self.folder, self.reader, self.files = folder, 0, {}
        self.size, self.labels, self.classes = size, torch.from_numpy(labels), int(labels.max()) + 1
        self.mean, self.std, self.bytes_only = MEAN, STD, False

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of an image."""
        return 3, self.size, self.size

    def part(self, indices: torch.Tensor) -> "Shards":
        """The images with these indices."""
        images = copy.copy(self)
        images.places, images.labels = self.places[indices.numpy()], self.labels[indices]
        return images

    def take(self, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Bytes and labels of the images with these numbers (int64 [n])."""
        pixels = [self._augmented(index) if self.augmentation else self._middle(index) for index in indices.tolist()]
        return torch.stack(pixels), self.labels[indices]

    def _file(self, shard: int) -> int:
        if self.reader != os.getpid():  # a worker: files that another process has open are not its own
            self.reader, self.files = os.getpid(), {}
        if shard not in self.files:
            self.files[shard] = os.open(self.folder / self.names[shard], os.O_RDONLY)
        return self.files[shard]

    def _decoded(self, index: int) -> Image.Image:
        shard, first, length = self.places[index].tolist()
        content = os.pread(self._file(shard), length, first)
        try:
            return Image.open(io.BytesIO(content)).convert("RGB")
        except OSError as error:
            raise ValueError(f"{self.names[shard]}: no image at byte {first}: {error}") from None

    def _middle(self, index: int) -> torch.Tensor:
        image = self._decoded(index)
        side = min(image.size) * SHOWN
        left, top = ((length - side) / 2 for length in image.size)
        return self._pixels(image, (left, top, left + side, top + side))

    def _augmented(self, index: int) -> torch.Tensor:
        image = self._decoded(index)
        epoch, numbers = int(self.augmentation.epoch), torch.tensor([index])
        random = data.random_numbers(self.augmentation.seed, epoch, numbers, 4 * TRIES + 1)[0].tolist()
        top, left, height, width = random_box(image.height, image.width, random)
        pixels = self._pixels(image, (left, top, left + width, top + height))
        return pixels.flip(2) if self.augmentation.mirror and random[-1] < 0.5 else pixels

    def _pixels(self, image: Image.Image, box: tuple[float, float, float, float]) -> torch.Tensor:
        """The part inside ``box`` (left, top, right, bottom) at our size: uint8 [3, size, size]."""
        part = image.resize((self.size, self.size), Image.Resampling.BILINEAR, box)
        return torch.from_numpy(np.array(part)).permute(2, 0, 1)


def random_box(height: int, width: int, random: list[float]) -> tuple[int, int, int, int]:
    """Top, left, height and width of a part of an image; the middle if no try fits. Four random numbers a try."""
    for area, ratio, top, left in zip(*(random[start : 4 * TRIES : 4] for start in range(4)), strict=True):
        area = height * width * (AREA[0] + area * (AREA[1] - AREA[0]))
        ratio = RATIO[0] * (RATIO[1] / RATIO[0]) ** ratio  # so that 3:4 is as likely as 4:3
        h, w = round((area / ratio) ** 0.5), round((area * ratio) ** 0.5)
        if 0 < h <= height and 0 < w <= width:
            return int(top * (height - h + 1)), int(left * (width - w + 1)), h, w
    side = min(height, width)
    return (height - side) // 2, (width - side) // 2, side, side
