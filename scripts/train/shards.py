"""Many JPEGs in few files: tar archives with an index, out of which any image is read by its number.

    python scripts/train/make_shards.py FOLDER OUT    FOLDER/LABEL/NAME.jpg -> OUT/shard-00000.tar …, OUT/index.npz

A million small files burden the file system that all jobs share: each must be looked up and opened. Here a rank
opens a few large ones once. `tar` unpacks them, and archives with LABEL/NAME.jpg made elsewhere need only an index.

Why no library. webdataset reads archives from front to end: fine for a store far away, but images are mixed only
within a buffer, shares of ranks and workers can differ, and an epoch cannot be resumed in its middle
(https://github.com/webdataset/webdataset/issues/271). litdata resumes, in a chunk format and with a loader of its
own, which refuses the state of another number of workers (_validate_state_dict in its dataset.py). An image that
has a number needs neither: the sampler of restart.py gives each rank its numbers, once an epoch, in an order over
all of the data, from any point on and for any number of ranks and workers. The price is a read for each image, some
100 KB at a random place: good on a node's own disk and on parallel file systems, not across the internet.
"""

import contextlib
import copy
import io
import os
import tarfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image, UnidentifiedImageError
from PIL.JpegImagePlugin import get_sampling
from torch.utils.data import Dataset

import data

INDEX = "index.npz"
MEAN, STD = 114.5, 57.6  # of ImageNet's pixels, all three colors together
AREA, RATIO, TRIES = (0.08, 1.0), (3 / 4, 4 / 3), 10  # of a random crop: torchvision's RandomResizedCrop
SHOWN = 224 / 256  # of the shorter side, without augmentation
END_OF_JPEG = b"\xff\xd9"  # two bytes that cannot stand among its pixels


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
        images = [self._decoded(index) for index in indices.tolist()]
        boxes, mirrored = self._boxes(indices, [(image.height, image.width) for image in images])
        pixels = torch.stack([self._pixels(image, box) for image, box in zip(images, boxes.tolist(), strict=True)])
        return torch.where(mirrored[:, None, None, None], pixels.flip(3), pixels), self.labels[indices]

    def encoded(self) -> "Encoded":
        """Their files as they are, with what a GPU needs to know of them: see gpu_jpeg.py."""
        return Encoded(self)

    def take_files(self, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The files with these numbers, one after the other (uint8 [bytes]), and gpu_jpeg's table of them.

        The parts are those of ``take``; a GPU decodes and resizes with a little different pixels.
        """
        contents, sizes = zip(*map(self._usual, indices.tolist()), strict=True)
        boxes, mirrored = self._boxes(indices, list(sizes))
        lengths = torch.tensor([len(content) for content in contents])
        columns = [self.labels[indices], lengths.cumsum(0) - lengths, lengths, torch.tensor(sizes), boxes, mirrored]
        table = torch.column_stack([column.double() for column in columns])
        return torch.frombuffer(bytearray().join(contents), dtype=torch.uint8), table

    def _boxes(self, indices: torch.Tensor, sizes: list[tuple[int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Which part of each image to show (see random_boxes), and whether mirrored (bool [n])."""
        sizes = torch.tensor(sizes)
        if not self.augmentation:
            return middle_boxes(sizes, SHOWN), torch.zeros(len(indices), dtype=torch.bool)
        epoch = int(self.augmentation.epoch)
        random = data.random_numbers(self.augmentation.seed, epoch, indices, 4 * TRIES + 1)
        return random_boxes(sizes, random), (random[:, -1] < 0.5) & self.augmentation.mirror

    def _file(self, shard: int) -> int:
        if self.reader != os.getpid():  # a worker: it opens its own
            self.reader, self.files = os.getpid(), {}
        if shard not in self.files:
            self.files[shard] = os.open(self.folder / self.names[shard], os.O_RDONLY)
        return self.files[shard]

    def _content(self, index: int) -> bytes:
        shard, first, length = self.places[index].tolist()
        return os.pread(self._file(shard), length, first)

    def _decoded(self, index: int) -> Image.Image:
        with self._named(index):
            return Image.open(io.BytesIO(self._content(index))).convert("RGB")

    @contextlib.contextmanager
    def _named(self, index: int):
        """Say which file is no image, or a damaged one."""
        try:
            yield
        except (OSError, SyntaxError, ValueError) as error:  # what PIL makes of damaged files
            reason = "no image" if isinstance(error, UnidentifiedImageError) else error
            todo = "Mend that file or leave it out, and make the shards anew."
            raise ValueError(f"{self.where(index)}: {reason}\n  {todo}") from None

    def where(self, index: int) -> str:
        """Archive and name of an image, for people: it looks through the archive."""
        shard, first, _ = self.places[index].tolist()
        path = self.folder / self.names[shard]
        try:
            with tarfile.open(path, "r:") as archive:
                return f"{path}, {next(entry.name for entry in archive if entry.offset_data == first)}"
        except (OSError, tarfile.TarError, StopIteration):
            return f"{path}, the image at byte {first}"

    def damaged(self, indices: list[int]) -> str:
        """What the CPU's decoder finds wrong with these images: a line each; empty if nothing."""
        found = []
        for index in indices:
            try:
                self._decoded(index)
            except ValueError as error:
                found.append(str(error))
        return "\n".join(found)

    def _usual(self, index: int) -> tuple[bytes, tuple[int, int]]:
        """A file, height and width; written anew if it is of a kind that a GPU's JPEG engine does not know."""
        with self._named(index), Image.open(io.BytesIO(content := self._content(index))) as image:
            size = image.height, image.width
            if _is_usual(image):
                # A GPU may decode what is there, and say nothing: the rest of the image would be grey.
                if content.find(END_OF_JPEG, image.fp.tell()) < 0:
                    raise OSError("image file is truncated")
                return content, size
            again = io.BytesIO()  # ImageNet has some in CMYK, and a PNG
            image.convert("RGB").save(again, "JPEG", quality=95)
            return again.getvalue(), size

    def _pixels(self, image: Image.Image, box: list[float]) -> torch.Tensor:
        """The part inside ``box`` (see random_boxes) at our size: uint8 [3, size, size]."""
        part = image.resize((self.size, self.size), Image.Resampling.BILINEAR, box)
        return torch.from_numpy(np.array(part)).permute(2, 0, 1)


def _is_usual(image: Image.Image) -> bool:
    """Can a GPU's JPEG engine decode it? By the backends' description in nvjpeg.h."""
    if image.format != "JPEG" or "progressive" in image.info:
        return False
    return image.mode == "L" or (image.mode == "RGB" and get_sampling(image) >= 0)


class Encoded(Dataset):
    """Batches of files for a GPU that decodes them: a list of numbers gives what Shards.take_files does.

    The table as an array, which comes with a worker's message: to fetch a tensor, the training process and a
    worker, both busy with Python, must write to each other several times.
    """

    def __init__(self, images: Shards):
        self.images = images

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, indices: list[int]) -> tuple[torch.Tensor, np.ndarray]:
        content, table = self.images.take_files(torch.tensor(indices))
        return content, table.numpy()


def middle_boxes(sizes: torch.Tensor, share: float) -> torch.Tensor:
    """The middle of images of these sizes: a square with a share of their shorter side; see random_boxes."""
    side = sizes.amin(1, keepdim=True) * share
    corner = (sizes.flip(1) - side) / 2
    return torch.cat([corner, corner + side], 1)


def random_boxes(sizes: torch.Tensor, random: torch.Tensor) -> torch.Tensor:
    """A random part of images of these sizes: left, top, right, bottom, float [n, 4]; the middle if no try fits.

    ``sizes``: height and width, int [n, 2]; ``random``: four numbers a try, of which the first that fits counts.
    """
    area, ratio, top, left = random[:, : 4 * TRIES].view(-1, TRIES, 4).unbind(2)
    height, width = sizes[:, :1], sizes[:, 1:]
    area = height * width * (AREA[0] + area * (AREA[1] - AREA[0]))
    ratio = RATIO[0] * (RATIO[1] / RATIO[0]) ** ratio  # so that 3:4 is as likely as 4:3
    h, w = (area / ratio).sqrt().round(), (area * ratio).sqrt().round()
    top, left = (top * (height - h + 1)).floor(), (left * (width - w + 1)).floor()
    fits = (h > 0) & (h <= height) & (w > 0) & (w <= width)
    first = fits.int().argmax(1)  # of equal ones the first
    boxes = torch.stack([left, top, left + w, top + h], 2)[torch.arange(len(sizes)), first]
    return torch.where(fits.any(1, keepdim=True), boxes, middle_boxes(sizes, 1)).float()
