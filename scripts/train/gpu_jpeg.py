"""JPEGs decoded by a GPU beside the training that it computes, without keeping Python or the training waiting.

    workers of a DataLoader     read the files of a batch, and choose a part of each: shards.Shards.take_files
    two threads, here           hand a batch each to NVIDIA's decoder (nvJPEG), and have the parts cut out

The decoder is called once for a batch, and one kernel cuts all parts out: a thread needs the interpreter for short.
While the GPU trains, the call takes most of a step: so two are made at a time. feed.py gives their streams queues.
Its streams go before the training's, so that a small kernel for each image need not wait for room beside large ones.

The decoder copies files to the GPU itself, each in one of its own streams. From ordinary memory such a copy waits until
its stream has nothing else to do, and a busy GPU makes that long: so the files go into pinned memory first.

A buffer is decoded into again only after its parts have been cut out. torchvision.io.decode_jpeg takes new memory
in each call and decodes in a stream of its own: memory that one has given back may still be read by another stream.
"""

import ctypes
import ctypes.util
import queue
from pathlib import Path

import numpy as np
import torch
import triton
import triton.language as tl

BUFFERS = 3  # batches that are decoded, or wait for being cut, at the same time
# The columns of a batch's table, float64 [n, 10]. START: of a file in the batch's bytes; later of an image's pixels.
LABEL, START, LENGTH, HEIGHT, WIDTH, LEFT, TOP, RIGHT, BOTTOM, MIRRORED = range(10)
COLUMNS = 10
# Of nvjpeg.h, https://docs.nvidia.com/cuda/nvjpeg/
DEFAULT_BACKEND, HARDWARE_BACKEND, RGB_PLANES, ARCH_MISMATCH = 0, 3, 3, 7
STATUS = {3: "a damaged JPEG", 4: "a kind of JPEG that it does not know", 10: "an incomplete JPEG"}


class Decoder:
    """Files of a batch -> pixels on the GPU, cut, resized and mirrored; also for several threads at a time."""

    def __init__(self, device: torch.device, size: int):
        """``size``: height and width of the parts; RuntimeError if the GPU's decoder cannot be used."""
        self.device, self.size = device, size
        self.library, self.handle = load_library(), ctypes.c_void_p()
        torch.empty(1, device=device)  # makes this GPU the thread's current one for the library, too
        status = self._create(HARDWARE_BACKEND)
        self.hardware = status != ARCH_MISMATCH
        if not self.hardware:  # a GPU without a JPEG engine: its other units decode
            status = self._create(DEFAULT_BACKEND)
        _check(status)
        self.buffers: queue.Queue[Buffer] = queue.Queue()  # the one used longest ago comes first
        for _ in range(BUFFERS):
            self.buffers.put(Buffer(self))

    def _create(self, backend: int) -> int:
        return self.library.nvjpegCreateEx(backend, None, None, 0, ctypes.byref(self.handle))

    def __call__(self, content: torch.Tensor, table: torch.Tensor) -> tuple[list[torch.Tensor], "torch.cuda.Event"]:
        """Start the work on a batch of Shards.take_files; pixels and labels on the GPU, and the event of their end."""
        buffer = self.buffers.get()
        buffer.free.synchronize()
        with torch.cuda.stream(buffer.stream):
            buffer.decode(content, table.numpy())
            table = table.pin_memory().to(self.device, non_blocking=True)
            pixels = cut(buffer.pixels, table, self.size)
            labels = table[:, LABEL].long()
            buffer.free = torch.cuda.Event(blocking=True)
            buffer.free.record()
        done = buffer.free
        self.buffers.put(buffer)  # not after an error: its decoder is in an unknown state
        return [pixels, labels], done


class Buffer:
    """Memory for the images of a batch, and a state of the decoder."""

    def __init__(self, decoder: Decoder):
        self.library, self.handle = decoder.library, decoder.handle
        self.stream = torch.cuda.Stream(decoder.device, priority=-1)
        self.free = torch.cuda.Event(blocking=True)
        self.pixels = torch.empty(0, dtype=torch.uint8, device=decoder.device)
        self.files = torch.empty(0, dtype=torch.uint8)
        self.images, self.orders, self.state = 0, None, ctypes.c_void_p()
        _check(self.library.nvjpegJpegStateCreate(self.handle, ctypes.byref(self.state)))

    def decode(self, content: torch.Tensor, table: np.ndarray) -> None:
        """Start decoding; START of ``table`` is then each image's place in ``pixels``: red, green, blue planes."""
        files = table[:, START].astype(np.uint64) + np.uint64(self._pinned(content).data_ptr())
        lengths, widths = table[:, LENGTH].astype(np.uint64), table[:, WIDTH].astype(np.uint64)
        areas = table[:, HEIGHT].astype(np.uint64) * widths
        ends = (3 * areas).cumsum()
        table[:, START] = ends - 3 * areas
        if len(self.pixels) < ends[-1]:
            self.pixels = torch.empty(int(ends[-1]), dtype=torch.uint8, device=self.pixels.device)
        images = np.zeros((len(table), 8), np.uint64)  # nvjpegImage_t: four addresses, four bytes a row
        first = ends - 3 * areas + np.uint64(self.pixels.data_ptr())
        for plane in range(3):
            images[:, plane] = first + np.uint64(plane) * areas
            images[:, 4 + plane] = widths
        if self.images != len(table):
            self.images = len(table)
            initialize = self.library.nvjpegDecodeBatchedInitialize
            _check(initialize(self.handle, self.state, self.images, 1, RGB_PLANES))
        pointers = [array.ctypes.data for array in (files, lengths, images)]
        stream = self.stream.cuda_stream
        _check(self.library.nvjpegDecodeBatched(self.handle, self.state, *pointers, stream))
        self.orders = files, lengths, images  # the decoder may read them until the buffer is free

    def _pinned(self, content: torch.Tensor) -> torch.Tensor:
        """A copy from which the GPU fetches by itself; NumPy makes it, and leaves Python to others meanwhile."""
        if len(self.files) < len(content):
            room = len(content) * 5 // 4  # the next batch may be a little larger
            self.files = torch.empty(room, dtype=torch.uint8, pin_memory=self.pixels.is_cuda)
        self.files.numpy()[: len(content)] = content.numpy()
        return self.files


def load_library() -> ctypes.CDLL:
    """nvJPEG: the one that torchvision has brought along, else the system's."""
    import torchvision.io  # noqa: F401  loads it

    maps = Path("/proc/self/maps").read_text().splitlines()
    names = [line.split(maxsplit=5)[5] for line in maps if "libnvjpeg" in line]
    name = names[0] if names else ctypes.util.find_library("nvjpeg")
    if not name:
        raise RuntimeError("no libnvjpeg: neither torchvision nor the system has it")
    library = ctypes.CDLL(name)
    pointer, number = ctypes.c_void_p, ctypes.c_int
    library.nvjpegCreateEx.argtypes = [number, pointer, pointer, ctypes.c_uint, pointer]
    library.nvjpegJpegStateCreate.argtypes = [pointer, pointer]
    library.nvjpegDecodeBatchedInitialize.argtypes = [pointer, pointer, number, number, number]
    library.nvjpegDecodeBatched.argtypes = [pointer] * 6
    return library


def _check(status: int) -> None:
    if status:
        reason = STATUS.get(status, f"status {status} of nvJPEG")
        raise RuntimeError(f"the GPU's decoder: {reason}; without --decode gpu the CPUs decode")


def cut(pixels: torch.Tensor, table: torch.Tensor, size: int) -> torch.Tensor:
    """The parts that ``table`` says, at one size: uint8 [n, 3, size, size]; ``pixels``: see Buffer.decode."""
    parts = torch.empty(len(table), 3, size, size, dtype=torch.uint8, device=table.device)
    block = 1024
    _cut[len(table), triton.cdiv(size * size, block)](pixels, table, parts, SIZE=size, BLOCK=block)
    return parts


@triton.jit
def _cut(source, table, target, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    """Some pixels of one part: each the mean of samples between four neighbours, as many as it covers."""
    image = tl.program_id(0).to(tl.int64)
    here = table + image * 10
    first = source + tl.load(here + 1).to(tl.int64)
    height, width = tl.load(here + 3).to(tl.int32), tl.load(here + 4).to(tl.int32)
    left, top = tl.load(here + 5).to(tl.float32), tl.load(here + 6).to(tl.float32)
    high = (tl.load(here + 8).to(tl.float32) - top) / SIZE  # of the image's pixels in one of the part's
    wide = (tl.load(here + 7).to(tl.float32) - left) / SIZE
    mirrored = tl.load(here + 9) > 0
    number = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = number < SIZE * SIZE
    row, column = number // SIZE, number % SIZE
    column = tl.where(mirrored, SIZE - 1 - column, column)
    rows, columns = tl.ceil(high).to(tl.int32), tl.ceil(wide).to(tl.int32)  # of samples
    red = tl.full([BLOCK], 0, tl.float32)
    green = tl.full([BLOCK], 0, tl.float32)
    blue = tl.full([BLOCK], 0, tl.float32)
    for i in range(rows):
        y = top - 0.5 + (row + (i + 0.5) / rows) * high
        y = tl.minimum(tl.maximum(y, 0.0), height - 1.0)
        above = y.to(tl.int32)
        down = y - above
        below = tl.minimum(above + 1, height - 1)
        for j in range(columns):
            x = left - 0.5 + (column + (j + 0.5) / columns) * wide
            x = tl.minimum(tl.maximum(x, 0.0), width - 1.0)
            before = x.to(tl.int32)
            along = x - before
            behind = tl.minimum(before + 1, width - 1)
            one, two = first + above * width + before, first + above * width + behind
            three, four = first + below * width + before, first + below * width + behind
            weight_1, weight_2 = (1 - down) * (1 - along), (1 - down) * along
            weight_3, weight_4 = down * (1 - along), down * along
            plane = height * width
            red += weight_1 * tl.load(one, inside, 0) + weight_2 * tl.load(two, inside, 0)
            red += weight_3 * tl.load(three, inside, 0) + weight_4 * tl.load(four, inside, 0)
            green += weight_1 * tl.load(one + plane, inside, 0) + weight_2 * tl.load(two + plane, inside, 0)
            green += weight_3 * tl.load(three + plane, inside, 0) + weight_4 * tl.load(four + plane, inside, 0)
            blue += weight_1 * tl.load(one + 2 * plane, inside, 0) + weight_2 * tl.load(two + 2 * plane, inside, 0)
            blue += weight_3 * tl.load(three + 2 * plane, inside, 0) + weight_4 * tl.load(four + 2 * plane, inside, 0)
    samples = rows * columns
    out = target + image * 3 * SIZE * SIZE + number
    tl.store(out, (red / samples + 0.5).to(tl.uint8), inside)
    tl.store(out + SIZE * SIZE, (green / samples + 0.5).to(tl.uint8), inside)
    tl.store(out + 2 * SIZE * SIZE, (blue / samples + 0.5).to(tl.uint8), inside)
