"""A transformer for images, as large as its options say; each image is a sequence of square patches.

``--width 64 --depth 4`` are 0.2 million parameters, ``--width 1024 --depth 24`` 300 million: about 12 · depth · width².
Dosovitskiy et al. 2020, https://arxiv.org/abs/2010.11929.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.utils.checkpoint import checkpoint

import options

SHAPE = ("width", "depth", "heads", "patch")  # options without which a checkpoint does not fit the model


class Block(nn.Module):
    """Attention, then two linear layers: float [n, tokens, width] -> the same shape.

    ``recompute``: keep the block's input only, and compute the rest again in the backward pass.
    """

    def __init__(self, width: int, heads: int, dropout: float, recompute: bool):
        super().__init__()
        self.heads, self.dropout, self.recompute = heads, dropout, recompute
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.recompute and self.training:
            return checkpoint(self._layers, x, use_reentrant=False)
        return self._layers(x)

    def _layers(self, x: torch.Tensor) -> torch.Tensor:
        n, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(n, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, tokens, width)
        x = x + self._drop(self.out(mixed))
        return x + self._drop(self.narrow(F.gelu(self.wide(self.norm2(x)))))

    def _drop(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, self.dropout, self.training)


class Transformer(nn.Module):
    """Float [n, channels, height, width] -> scores [n, classes]; ``shape``: channels, height, width of an image.

    SystemExit with a message if the numbers do not go together.
    """

    def __init__(self, shape, classes: int, *, width: int, depth: int, heads: int, patch: int, dropout, recompute):
        super().__init__()
        channels, height, columns = shape
        if height % patch or columns % patch:
            raise SystemExit(f"--patch {patch}: images of {height} x {columns} are no whole number of such patches")
        if width % heads:
            raise SystemExit(f"--width {width} is not a multiple of --heads {heads}")
        self.patch = patch
        self.embed = nn.Linear(channels * patch**2, width)
        self.place = nn.Parameter(torch.empty((height // patch) * (columns // patch), width))
        self.blocks = nn.ModuleList(Block(width, heads, dropout, recompute) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        patches = F.unfold(images, self.patch, stride=self.patch).transpose(1, 2)
        x = self.embed(patches) + self.place
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(dim=1))


@torch.no_grad()
def init_weights(model: nn.Module, seed: int, device: torch.device) -> None:
    """Random weights that do not depend on the number of ranks.

    Each rank draws a weight as a whole and keeps its own piece: one whole weight is in memory at a time, and
    nothing is sent. ``device``: where it is drawn; a GPU's random numbers are not those of a CPU. This model has
    no buffers; those of another one must be set as well.
    """
    random = torch.Generator(device).manual_seed(seed)
    for name, weight in model.named_parameters():
        whole = torch.empty(weight.shape, device=device)
        if weight.ndim > 1:
            whole.normal_(std=0.02, generator=random)
        else:
            whole.fill_(0.0 if name.endswith("bias") else 1.0)
        if isinstance(weight, DTensor):
            piece = distribute_tensor(whole, weight.device_mesh, weight.placements, src_data_rank=None)
            weight.to_local().copy_(piece.to_local())
        else:
            weight.copy_(whole)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say how large the model is."""
    group = parser.add_argument_group("model")
    for name, default, text in (
        ("width", 64, "numbers a token"),
        ("depth", 4, "blocks"),
        ("heads", 4, "heads of attention"),
        ("patch", 4, "pixels of a token's side"),
    ):
        group.add_argument(
            f"--{name}", type=options.at_least(1), default=default, metavar="N", help=f"{text} (default: {default})"
        )
    group.add_argument("--dropout", type=options.probability, default=0.0, metavar="P", help="default: 0")
    group.add_argument("--recompute", action="store_true", help="activation checkpointing: less memory, more computing")


def from_options(args: argparse.Namespace, images) -> Transformer:
    """The transformer that the options ask for, fitting ``images`` (a ``data.Images``); see init_weights."""
    shape = {name: getattr(args, name) for name in SHAPE}
    return Transformer(images.shape, images.classes, **shape, dropout=args.dropout, recompute=args.recompute)
