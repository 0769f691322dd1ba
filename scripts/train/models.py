"""The networks that the programs train: a small CNN and ResNet-50."""

import argparse
import inspect
import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import options

NAMES = ("cnn", "resnet50")


class SmallCNN(nn.Module):
    """Two convolutions and two linear layers: float [n, channels, size, size] -> scores [n, classes].

    Without BatchNorm by default: its statistics are those of one rank's images, so N ranks would
    not compute what one process computes on the whole batch. Images must be at least 4 x 4.
    """

    def __init__(self, channels: int, size: int, classes: int, batch_norm: bool = False, dropout: float = 0.0):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(channels, 32, kernel_size=3, padding=1),
            nn.BatchNorm2d(32) if batch_norm else nn.Identity(),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, kernel_size=3, padding=1),
            nn.BatchNorm2d(64) if batch_norm else nn.Identity(),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64 * (size // 4) ** 2, 128),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(128, classes),
        )

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(images))


def build(
    name: str, shape: tuple[int, int, int], classes: int, batch_norm: bool = False, dropout: float = 0.0
) -> nn.Module:
    """A new network with random weights for images of ``shape`` (channels, height, width)."""
    channels, height, _ = shape
    if name == "cnn":
        return SmallCNN(channels, height, classes, batch_norm, dropout)
    if name == "resnet50":  # He et al. 2015, https://arxiv.org/abs/1512.03385; it always has BatchNorm
        from torchvision.models import resnet50

        model = resnet50(num_classes=classes)
        if channels != 3:
            model.conv1 = nn.Conv2d(channels, 64, kernel_size=7, stride=2, padding=3, bias=False)
        return model
    raise ValueError(f"unknown model {name!r}: choose one of {', '.join(NAMES)}")


class FromBytes(nn.Module):
    """A network that takes images as bytes: uint8 [n, channels, height, width] -> scores [n, classes].

    The normalization is a part of the model, so that torch.compile joins it with what follows, and runs
    in autocast's type: from bytes to bfloat16 and no float32 in between.
    """

    def __init__(self, network: nn.Module, mean: float, std: float, memory_format: torch.memory_format):
        super().__init__()
        self.network, self.mean, self.std, self.memory_format = network, mean, std, memory_format

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        kind = pixels.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else torch.float32
        images = (pixels.to(dtype, memory_format=self.memory_format) - self.mean) / self.std
        return self.network(images)


def lean_ddp(model: nn.Module, device: torch.device, **more) -> DistributedDataParallel:
    """DDP without two things that it does in each step by default.

    Gradients live in DDP's buckets: each is copied there once, as zero_grad() takes it away, and not back. And
    BatchNorm's averages are not sent around in each forward pass: share_buffers does that before they are used.
    ``more``: what else to tell DDP.
    """
    arguments = inspect.signature(DistributedDataParallel.__init__).parameters
    # The old name warns from PyTorch 2.14 on.
    buffers = "forward_sync_buffers" if "forward_sync_buffers" in arguments else "broadcast_buffers"
    device_ids = [device.index] if device.type == "cuda" else None
    more |= {"gradient_as_bucket_view": True, buffers: False}
    return DistributedDataParallel(model, device_ids=device_ids, **more)


def set_precision(precision: str) -> None:
    """``"tf32"`` or ``"ieee"`` for products of float32.

    By default convolutions use TensorFloat-32, and matrix products do not.
    """
    torch.backends.cudnn.conv.fp32_precision = precision
    torch.backends.cuda.matmul.fp32_precision = precision
    torch.backends.cudnn.benchmark = True  # try the algorithms, keep the fastest


def set_deterministic(deterministic: bool) -> None:
    """If so, the same bits in each run, also on a GPU: slower, so for looking for a mistake and not for training.

    An operation that has no deterministic form ends with a RuntimeError that names it. After set_precision.
    https://docs.pytorch.org/docs/stable/notes/randomness.html
    """
    if not deterministic:
        return
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # read at the GPU's first matrix product
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False


def compiled(model: nn.Module, device: torch.device, compile: bool, graphs: bool, ddp: bool = True) -> nn.Module:
    """The model under DDP (unless ``ddp`` is False), compiled if asked for; ``graphs``: with CUDA graphs.

    dynamic=False: otherwise a smaller last batch would make all later ones slower. CUDA graphs go with
    DDP only where the model is compiled inside the wrapper. SystemExit with a message where there is no GPU.
    """
    if graphs and device.type != "cuda":
        raise SystemExit("models: --graphs needs a GPU: leave it out, or take --compile")
    if graphs:
        model.compile(mode="reduce-overhead", dynamic=False)
    if ddp:
        model = lean_ddp(model, device)
    return torch.compile(model, dynamic=False) if compile and not graphs else model


def share_buffers(model: nn.Module) -> None:
    """Give all ranks rank 0's buffers: BatchNorm's running averages.

    Each rank takes them of its own images. DDP does this at the beginning of a forward
    pass in training, not after the last one. Without it each rank would validate its
    share with averages of its own, and a checkpoint holds rank 0's.
    """
    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)


def cosine(epochs: int):
    """The factor on the learning rate: from 1 in epoch 0 down to almost 0, along half a cosine."""
    return lambda epoch: 0.5 * (1 + math.cos(math.pi * epoch / epochs))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which network to train: the same in every program."""
    group = parser.add_argument_group("model")
    group.add_argument("--model", choices=NAMES, default="cnn", help="network to train (default: cnn, a small one)")
    group.add_argument("--batch-norm", action="store_true", help="put BatchNorm into the small CNN")
    group.add_argument(
        "--dropout", type=options.probability, default=0.0, metavar="P", help="dropout of the small CNN (default: 0)"
    )


def from_options(args: argparse.Namespace, images) -> nn.Module:
    """The network that the options ask for, fitting ``images`` (a ``data.Images``)."""
    if args.dropout and args.model != "cnn":
        raise SystemExit(f"models: --dropout is for the small CNN: {args.model} has none, leave it out")
    return build(args.model, images.shape, images.classes, args.batch_norm, args.dropout)
