"""Gradients of a batch that does not fit into memory at once."""

import torch
import torch.nn.functional as F


def accumulate(model: torch.nn.Module, images: torch.Tensor, labels: torch.Tensor, piece: int) -> None:
    """Leave in ``.grad`` of the parameters the gradients of the mean loss of the whole batch.

    ``images``: float [n, channels, height, width]; ``labels``: int64 [n]. Never more than ``piece`` images go
    through the model at once; ``piece`` need not divide n. Old gradients are to be forgotten.
    """
    model.zero_grad()  # once a batch: backward() adds to what is there
    for first in range(0, len(labels), piece):
        part = slice(first, first + piece)
        loss = F.cross_entropy(model(images[part]), labels[part], reduction="sum")
        (loss / len(labels)).backward()  # a sum over pieces: right for a short last piece too
