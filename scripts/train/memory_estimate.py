"""Will this training fit into a GPU's memory? Counted on any machine, measured as well where there is a GPU.

python scripts/train/memory_estimate.py --model resnet50 --image-size 224 --classes 1000 --batch-size 8 64 256

A training step with Adam keeps the weights, a gradient for each weight, two averages for each weight, and what the
forward pass saves for the backward pass. Only the last one grows with the batch. Counted in float32 on one device:
autocast saves about half of what grows, and DDP by default keeps a second copy of the gradients in its buckets.
"""

import argparse
import json
import sys
from datetime import date
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import models
import options

MIB, GIB = 2**20, 2**30
# GB of memory, as the makers and centers state them: the sources stand on the page "What a cluster is".
GPUS = {"T4": 16, "V100": 32, "A100": 40, "A40 or L40S": 48, "H100": 80, "GH200": 96}
# The driver's context, the libraries' workspaces and gaps between tensors need room as well.
USABLE = 0.9


def storage_bytes(tensors) -> int:
    """Bytes that these tensors hold, each storage counted once."""
    return sum({t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}.values())


def count(model: nn.Module, images: torch.Tensor, labels: torch.Tensor) -> dict[str, int]:
    """Bytes of each part of one training step with Adam, counted from the tensors themselves.

    Args:
        model: on the same device as the images.
        images: float [n, channels, height, width].
        labels: int64 [n].
    """
    optimizer = torch.optim.Adam(model.parameters())
    weights = [*model.parameters(), *model.buffers()]
    known = {t.untyped_storage().data_ptr() for t in weights}
    saved = []

    def remember(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.untyped_storage().data_ptr() not in known:
            saved.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(remember, lambda tensor: tensor):
        loss = F.cross_entropy(model(images), labels)
    activations = storage_bytes(saved)
    loss.backward()
    optimizer.step()
    averages = [value for state in optimizer.state.values() for value in state.values() if value.dim()]
    return {
        "weights": storage_bytes(weights),
        "gradients": storage_bytes(p.grad for p in model.parameters()),
        "averages of Adam": storage_bytes(averages),
        "saved for backward": activations,
    }


def peak_on_gpu(model: nn.Module, images: torch.Tensor, labels: torch.Tensor) -> int:
    """Bytes of PyTorch's tensors at the worst moment of three training steps on the GPU."""
    model, images, labels = model.cuda(), images.cuda(), labels.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    torch.cuda.reset_peak_memory_stats()
    for _ in range(3):
        optimizer.zero_grad()
        F.cross_entropy(model(images), labels).backward()
        optimizer.step()
    return torch.cuda.max_memory_allocated()


def smallest(need: int) -> str:
    """The first GPU of the table into which ``need`` bytes fit, with its memory, since some come with more and less."""
    fitting = (f"{name} of {size} GB" for name, size in GPUS.items() if need <= USABLE * size * GIB)
    return next(fitting, "none of the table")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    models.add_options(parser)
    parser.add_argument(
        "--image-size", type=options.at_least(1), default=32, metavar="N", help="height and width (default: 32)"
    )
    parser.add_argument(
        "--classes", type=options.at_least(1), default=10, metavar="N", help="classes to tell apart (default: 10)"
    )
    parser.add_argument(
        "--batch-size", type=options.at_least(1), nargs="+", default=[8, 64], metavar="N", help="images in a step"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the numbers to this JSON file, too")
    args = parser.parse_args()

    def batch(n: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.rand(n, 3, args.image_size, args.image_size), torch.randint(args.classes, (n,))

    def network() -> nn.Module:
        return models.build(args.model, (3, args.image_size, args.image_size), args.classes, args.batch_norm)

    two, four = (count(network(), *batch(n)) for n in (2, 4))
    per_image = (four["saved for backward"] - two["saved for backward"]) // 2
    fixed = sum(four.values()) - 4 * per_image
    parameters = sum(p.numel() for p in network().parameters())
    print(
        f"{args.model}: {parameters:,} parameters, float32, Adam, images of 3 x {args.image_size} x {args.image_size}"
    )
    for name in list(four)[:3]:
        print(f"  {name:20}{four[name] / MIB:9,.1f} MiB")
    print(f"  {'saved for backward':20}{per_image / MIB:9,.1f} MiB an image")
    rows = []
    for n in args.batch_size:
        row = {"batch": n, "estimate_bytes": fixed + n * per_image}
        line = f"batch {n:5}: {row['estimate_bytes'] / MIB:9,.0f} MiB, fits into: {smallest(row['estimate_bytes'])}"
        if torch.cuda.is_available():
            row["measured_bytes"] = peak_on_gpu(network(), *batch(n))
            line += f"; measured {row['measured_bytes'] / MIB:9,.0f} MiB"
        rows.append(row)
        print(line)
    if args.out:
        record = {"command": " ".join(["python scripts/train/memory_estimate.py", *sys.argv[1:]])}
        gpus = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        record |= {"date": str(date.today()), "hardware": {"gpus": gpus, "torch": torch.__version__}}
        record |= {"parameters": parameters, "counted_bytes": four, "per_image_bytes": per_image, "batches": rows}
        args.out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
