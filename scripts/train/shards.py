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
LARGEST = 640  # pixels: what is larger is made smaller before a GPU cuts it


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

    def take_on(self, device: torch.device, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The same, decoded, cut and resized by a GPU: pixels there, labels on the CPU.

        A little different pixels: NVIDIA's decoder rounds differently, and resizing takes four samples a pixel.
        """
        images = self._decoded_on(device, indices)
        boxes, mirrored = self._boxes(indices, [image.shape[1:] for image in images])
        pixels = cut_out(images, boxes, self.size)
        mirrored = _sent(mirrored, device)
        return torch.where(mirrored[:, None, None, None], pixels.flip(3), pixels), self.labels[indices]

    def _boxes(self, indices: torch.Tensor, sizes: list[tuple[int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Which part of each image to show (see random_boxes), and whether mirrored (bool [n])."""
        sizes = torch.tensor(sizes)
        if not self.augmentation:
            return middle_boxes(sizes, SHOWN), torch.zeros(len(indices), dtype=torch.bool)
        epoch = int(self.augmentation.epoch)
        random = data.random_numbers(self.augmentation.seed, epoch, indices, 4 * TRIES + 1)
        return random_boxes(sizes, random), (random[:, -1] < 0.5) & self.augmentation.mirror

    def _file(self, shard: int) -> int:
        if self.reader != os.getpid():  # a worker: files that another process has open are not its own
            self.reader, self.files = os.getpid(), {}
        if shard not in self.files:
            self.files[shard] = os.open(self.folder / self.names[shard], os.O_RDONLY)
        return self.files[shard]

    def _content(self, index: int) -> bytes:
        shard, first, length = self.places[index].tolist()
        return os.pread(self._file(shard), length, first)

    def _decoded(self, index: int) -> Image.Image:
        try:
            return Image.open(io.BytesIO(self._content(index))).convert("RGB")
        except OSError as error:
            shard, first, _ = self.places[index].tolist()
            raise ValueError(f"{self.names[shard]}: no image at byte {first}: {error}") from None

    def _decoded_on(self, device: torch.device, indices: torch.Tensor) -> list[torch.Tensor]:
        from torchvision.io import ImageReadMode, decode_jpeg

        try:
            return decode_jpeg(self._contents(indices), ImageReadMode.RGB, device)
        except RuntimeError:  # one is no usual JPEG: ImageNet has some in CMYK, and a PNG
            images = [np.array(self._decoded(index)) for index in indices.tolist()]
            return [torch.from_numpy(image).permute(2, 0, 1).to(device) for image in images]

    def _contents(self, indices: torch.Tensor) -> list[torch.Tensor]:
        """The files of a batch, read into one piece of memory: a thread should keep Python from the loop for short."""
        places = self.places[indices.numpy()]
        content, end = np.empty(places[:, 2].sum(), np.uint8), 0
        for shard, first, length in places.tolist():
            os.preadv(self._file(shard), [content[end : end + length]], first)
            end += length
        return list(torch.from_numpy(content).split(places[:, 2].tolist()))

    def _pixels(self, image: Image.Image, box: list[float]) -> torch.Tensor:
        """The part inside ``box`` (see random_boxes) at our size: uint8 [3, size, size]."""
        part = image.resize((self.size, self.size), Image.Resampling.BILINEAR, box)
        return torch.from_numpy(np.array(part)).permute(2, 0, 1)


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


def cut_out(images: list[torch.Tensor], boxes: torch.Tensor, size: int) -> torch.Tensor:
    """Parts of images (uint8 [3, height, width] each, of any sizes) at one size: uint8 [n, 3, size, size].

    Few operations for all of them, since hundreds of small ones would keep Python busy.
    """
    from torchvision.ops import roi_align

    device = images[0].device
    scales = [min(1.0, LARGEST / max(image.shape)) for image in images]
    images = [image if scale == 1 else _smaller(image, scale) for image, scale in zip(images, scales, strict=True)]
    height, width = (max(image.shape[side] for image in images) for side in (1, 2))
    kind = torch.float16 if device.type == "cuda" else torch.float32  # both hold a byte without loss
    canvas = torch.empty(len(images), 3, height, width, dtype=kind, device=device)
    places = [place[:, : image.shape[1], : image.shape[2]] for place, image in zip(canvas, images, strict=True)]
    torch._foreach_copy_(places, images)
    rows = torch.cat([torch.arange(len(images))[:, None], boxes * torch.tensor(scales)[:, None]], dim=1)
    pixels = roi_align(canvas, _sent(rows.to(kind), device), size, sampling_ratio=2, aligned=True)
    return pixels.round_().to(torch.uint8)


def _smaller(image: torch.Tensor, scale: float) -> torch.Tensor:
    """A large image would make the canvas of all as large."""
    options = {"scale_factor": scale, "mode": "bilinear", "antialias": True}
    return torch.nn.functional.interpolate(image[None].float(), **options)[0].round()


def _sent(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """On the device, without waiting for what is computed there."""
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor
