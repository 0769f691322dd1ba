"""The networks that the programs train: a small CNN and ResNet-50."""

import argparse
import math

import torch
from torch import nn

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


def cosine(epochs: int):
    """The factor on the learning rate: from 1 in epoch 0 down to almost 0, along half a cosine."""
    return lambda epoch: 0.5 * (1 + math.cos(math.pi * epoch / epochs))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which network to train: the same in every program."""
    group = parser.add_argument_group("model")
    group.add_argument("--model", choices=NAMES, default="cnn", help="network to train (default: cnn, a small one)")
    group.add_argument("--batch-norm", action="store_true", help="put BatchNorm into the small CNN")
    group.add_argument("--dropout", type=float, default=0.0, metavar="P", help="dropout of the small CNN (default: 0)")


def from_options(args: argparse.Namespace, images) -> nn.Module:
    """The network that the options ask for, fitting ``images`` (a ``data.Images``)."""
    return build(args.model, images.shape, images.classes, args.batch_norm, args.dropout)
