"""How batches reach the device without making the training loop wait for them: four ways, one of which fits.

on the device   all images go there once, as bytes; a batch is taken out there (GPU, and they fit)
a thread        it takes batches out of the host's memory into buffers from which the GPU copies by itself
workers         processes that load ahead: for images that must be read and decoded (--workers)
decoded there   workers read the files of a batch, the GPU decodes, cuts and resizes them (--decode gpu)

Workers live on between epochs, and get their seeds once: what they draw for themselves is lost with a restart. So the
data sets draw by seed, epoch and number of the image (data.random_numbers).

Images travel as bytes, a quarter of what floats need, and are normalized on the device (models.FromBytes).
"""

import os
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import torch
import torch.distributed as dist
from torch.utils.data import BatchSampler

import data
import restart

# CUDA sends all orders of a program through 8 queues, unless this says otherwise before the GPU is first used. The
# GPU's decoder alone has 14 streams a buffer: one that shares a queue with the training waits for the steps before it.
os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")

READERS = 4  # workers that only read, for GPUs that decode
DECODERS = 2  # threads that call the GPU's decoder: it answers late while the GPU computes
BUFFERS = 3  # batches on their way: one being filled, one being copied, one waiting
SHARE_OF_MEMORY = 0.25  # of the GPU's free memory that images may take

Batch = tuple[torch.Tensor, torch.Tensor]  # pixels uint8 [n, channels, height, width], labels int64 [n]


class Feed:
    """Batches of one data set for this rank, in the order of ``sampler``; can be iterated once an epoch."""

    def __init__(
        self,
        images: data.Images,
        sampler,
        rank_batch: int,
        device: torch.device,
        workers: int | None,
        generator,
        decode: str = "cpu",
    ):
        """``sampler``: yields this rank's image numbers; ``generator``: for the workers' seeds.

        ``workers``: processes; None: none for images in memory, else one for each core of this rank.
        ``decode``: "gpu" has JPEGs decoded there; then no more than READERS by default. SystemExit if there are none.
        """
        self.images, self.sampler, self.rank_batch, self.device = images.as_bytes(), sampler, rank_batch, device
        if decode == "gpu":
            if images.in_memory:
                raise SystemExit(
                    "feed: --decode gpu is for the JPEGs of --dataset shards; these images lie in memory, decoded: "
                    "leave it out"
                )
            self.decoder = new_decoder(device, images.size)
            workers = min(READERS, cores_of_this_rank()) if workers is None else workers
            self.images = self.images.encoded()
            self.loader = self._loader(workers, generator, pinned=False, collate=_as_it_is)
            self.way, self.fill = Feed._from_thread, Feed._decode
            return
        if workers is None:
            workers = 0 if images.in_memory else cores_of_this_rank()
        if workers or not images.in_memory:
            self.loader = self._loader(workers, generator, pinned=device.type == "cuda")
            self.way = Feed._from_workers
        elif device.type == "cuda" and self._bytes() > SHARE_OF_MEMORY * torch.cuda.mem_get_info(device)[0]:
            self.way, self.fill = Feed._from_thread, Feed._fill
        else:
            self.images = self.images.to(device)
            self.way = Feed._from_memory

    def _loader(self, workers: int, generator, pinned: bool, collate: Callable | None = None) -> restart.SparingLoader:
        # batch_size=None: the data set is asked for whole batches.
        return restart.SparingLoader(
            self.images,
            batch_size=None,
            sampler=BatchSampler(self.sampler, self.rank_batch, drop_last=False),
            collate_fn=collate,
            num_workers=workers,
            pin_memory=pinned,
            persistent_workers=workers > 0,
            generator=generator,
        )

    def _bytes(self) -> int:
        return self.images.pixels.numel()

    def __iter__(self) -> Iterator[Batch]:
        return self.way(self)

    def __len__(self) -> int:
        return -(-len(self.sampler) // self.rank_batch)

    def _order(self) -> list[torch.Tensor]:
        """The numbers of the images of each batch: none, where a restart has no batch left in its epoch."""
        numbers = torch.tensor(list(self.sampler), dtype=torch.int64)
        return list(numbers.split(self.rank_batch)) if len(numbers) else []  # split would make one empty batch

    def _from_memory(self) -> Iterator[Batch]:
        """The images lie where the training runs."""
        for numbers in self._order():
            if self.device.type == "cuda":
                numbers = numbers.pin_memory().to(self.device, non_blocking=True)
            yield self.images.take(numbers)

    def _from_workers(self) -> Iterator[Batch]:
        """The loader's, copied by a second stream while the one before is computed."""
        if self.device.type != "cuda":
            yield from self.loader
            return
        copies, waiting = torch.cuda.Stream(self.device), None
        for batch in self.loader:
            coming = _copy(batch, self.device, copies)
            if waiting:
                yield _ready(*waiting)
            waiting = coming
        if waiting:
            yield _ready(*waiting)

    def _from_thread(self) -> Iterator[Batch]:
        """A thread is some batches ahead; its few long operations leave Python to the loop."""
        filled: queue.Queue = queue.Queue(maxsize=BUFFERS - 1)
        ended = threading.Event()
        todo = iter(self.loader) if self.fill is Feed._decode else self._order()  # here, since it starts processes
        thread = threading.Thread(target=self._run, args=(todo, filled, ended), daemon=True)
        thread.start()
        try:
            while (item := filled.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                if isinstance(item, Future):
                    item = item.result()
                pixels, labels, *numbers = _ready(*item)
                if numbers and self.images.augmentation:
                    pixels = self.images.augmentation(pixels, *numbers)
                yield pixels, labels
        finally:  # also where the loop was left in the middle
            ended.set()
            while thread.is_alive():
                _empty(filled)
                thread.join(0.01)

    def _run(self, todo, filled: queue.Queue, ended: threading.Event) -> None:
        """What the thread does: batches into the queue, then None; or an error."""
        try:
            self._use_device()
            for item in self.fill(self, todo):
                if ended.is_set():
                    return
                filled.put(item)
            filled.put(None)
        except BaseException as error:  # the training loop waits for batches: it must hear of it
            filled.put(error)

    def _fill(self, order: list[torch.Tensor]) -> Iterator:
        """Images of the host's memory, through pinned buffers from which the GPU copies by itself."""
        stream = torch.cuda.Stream(self.device)
        shape = (self.rank_batch, *self.images.shape)
        buffers = [(torch.empty(shape, dtype=torch.uint8, pin_memory=True), torch.cuda.Event()) for _ in range(BUFFERS)]
        for count, numbers in enumerate(order):
            buffer, copied = buffers[count % BUFFERS]
            copied.synchronize()  # the copy of three batches ago
            pixels = buffer[: len(numbers)]
            torch.index_select(self.images.pixels, 0, numbers, out=pixels)
            labels = self.images.labels.index_select(0, numbers).pin_memory()
            tensors, _ = _copy((pixels, labels, numbers.pin_memory()), self.device, stream)
            copied.record(stream)
            yield tensors, copied

    def _decode(self, batches: Iterator) -> Iterator[Future]:
        """JPEGs as the loader's workers have read them, decoded by the GPU: some batches at the same time."""
        with ThreadPoolExecutor(DECODERS, initializer=self._use_device) as threads:
            for number, (content, table) in enumerate(batches):
                yield threads.submit(self._decoded, number, content, torch.from_numpy(table))

    def _decoded(self, number: int, content: torch.Tensor, table: torch.Tensor):
        """What the decoder makes of this batch of the epoch; an error that names the damaged images."""
        try:
            return self.decoder(content, table)
        except RuntimeError as error:
            damaged = self.images.images.damaged(self._order()[number].tolist())
            raise RuntimeError(f"{error}\n{damaged or 'The CPUs can decode each image of this batch.'}") from None

    def _use_device(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)  # a new thread begins with the first GPU


def _as_it_is(batch):
    """The loader would make tensors of arrays: see shards.Encoded."""
    return batch


def new_decoder(device: torch.device, size: int):
    """What decodes, and cuts out parts of ``size``: see gpu_jpeg.Decoder."""
    if device.type != "cuda":
        raise SystemExit("feed: --decode gpu needs a GPU: leave it out")
    import gpu_jpeg  # here, since it needs Triton, which is there where PyTorch has a GPU

    return gpu_jpeg.Decoder(device, size)


def _copy(tensors, device: torch.device, stream) -> tuple[list[torch.Tensor], "torch.cuda.Event"]:
    """Start the copies of pinned tensors on a stream; with the event of their end."""
    with torch.cuda.stream(stream):
        copies = [tensor.to(device, non_blocking=True) for tensor in tensors]
        event = torch.cuda.Event()
        event.record(stream)
    return copies, event


def _ready(tensors: list[torch.Tensor], event) -> list[torch.Tensor]:
    """The tensors for the computing stream, which waits for their copies; the CPU does not. Without event: at once."""
    if event is None:
        return tensors
    compute = torch.cuda.current_stream()
    compute.wait_event(event)
    for tensor in tensors:
        tensor.record_stream(compute)  # its memory must not be used again before compute is done with it
    return tensors


def _empty(full: queue.Queue) -> None:
    while not full.empty():
        full.get_nowait()


def cores_of_this_rank() -> int:
    """Cores for this rank alone: those that it may use, divided by the ranks of its node with the same ones.

    srun --cpus-per-task gives each task cores of its own; torchrun's ranks share all of the job's.
    """
    mine = (socket.gethostname(), tuple(sorted(os.sched_getaffinity(0))))
    all_of_them = [None] * dist.get_world_size()
    dist.all_gather_object(all_of_them, mine)
    return max(1, len(mine[1]) // all_of_them.count(mine))
