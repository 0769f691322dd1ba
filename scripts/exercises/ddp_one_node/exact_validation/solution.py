"""Accuracy over all ranks, for any number of images: sums and counts are added up, and divided once.

torchrun --standalone --nproc-per-node=2 exact_validation.py 9 1 100
"""

import sys

import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


def images(count: int) -> TensorDataset:
    """The first ``count`` of scikit-learn's digits."""
    digits = load_digits()
    return TensorDataset(torch.tensor(digits.data[:count], dtype=torch.float32), torch.tensor(digits.target[:count]))


def network() -> nn.Module:
    """A network that was never trained: about one answer in ten is right."""
    torch.manual_seed(32)
    return nn.Linear(64, 10)


@torch.no_grad()
def validate(model: nn.Module, val_set: TensorDataset, rank: int, world_size: int) -> tuple[float, int]:
    """Accuracy, and the number of images that it comes from. All ranks must call it."""
    share = Subset(val_set, range(rank, len(val_set), world_size))  # nobody's image is repeated
    total = torch.zeros(2, dtype=torch.float64)  # right answers, images
    for inputs, labels in DataLoader(share, batch_size=4):
        right = model(inputs).argmax(dim=1) == labels
        total += torch.tensor([right.sum(), len(labels)])
    dist.all_reduce(total)  # one collective a rank, also for a rank without any image
    return (total[0] / total[1]).item(), int(total[1])


def main() -> None:
    dist.init_process_group("gloo")
    for count in map(int, sys.argv[1:]):
        accuracy, seen = validate(network(), images(count), dist.get_rank(), dist.get_world_size())
        if dist.get_rank() == 0:
            print(f"count={count} accuracy={accuracy:.6f} seen={seen}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
