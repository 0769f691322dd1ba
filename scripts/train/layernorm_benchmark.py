"""Time LayerNorm three ways: written by hand, F.layer_norm, and the hand-written one compiled.

python scripts/train/layernorm_benchmark.py --rows 4096 --features 1024

By hand each operation reads and writes the whole tensor; the fused ones read it once.
torch.utils.benchmark warms up, waits for the GPU and repeats
(https://docs.pytorch.org/docs/stable/benchmark_utils.html); time.time() does neither.
"""

import argparse
import logging
import os
import shutil

import torch
import torch.nn.functional as F

import options

if not torch.cuda.is_available():  # the next import warns where a CUDA compiler, but no GPU, is installed
    logging.getLogger("torch.utils.cpp_extension").setLevel(logging.ERROR)
from torch.utils.benchmark import Compare, Measurement, Timer

EPSILON = 1e-5


def by_hand(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Normalise the last dimension: float [rows, features] -> the same shape (Ba et al. 2016, arXiv:1607.06450)."""
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + EPSILON) * weight + bias


def fused(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """The same with PyTorch's own kernel."""
    return F.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)


def why_not_compiled(device: torch.device) -> str:
    """What torch.compile lacks here; empty if nothing. On a CPU it writes C++, on a GPU it uses Triton."""
    if device.type == "cuda":
        return ""
    compiler = os.environ.get("CXX", "g++")
    return "" if shutil.which(compiler) else f"no C++ compiler ({compiler})"


def measure(name: str, function, x, weight, bias, seconds: float) -> Measurement:
    """Time ``function`` for about ``seconds``."""
    function(x, weight, bias)  # the first call of a compiled function compiles it
    timer = Timer(
        "function(x, weight, bias)",
        globals={"function": function, "x": x, "weight": weight, "bias": bias},
        num_threads=torch.get_num_threads(),
        label=f"LayerNorm of {x.shape[0]} x {x.shape[1]} {str(x.dtype).removeprefix('torch.')} on {x.device.type}",
        description=name,
        sub_label="forward",
    )
    return timer.blocked_autorange(min_run_time=seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=options.at_least(1), default=4096, metavar="N", help="default: 4096")
    parser.add_argument("--features", type=options.at_least(1), default=1024, metavar="N", help="default: 1024")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32", help="default: float32")
    parser.add_argument("--seconds", type=options.positive, default=1.0, metavar="S", help="for each way (default: 1)")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True, help="time that too")
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(1)
    x = torch.randn(args.rows, args.features, device=device, dtype=getattr(torch, args.dtype))
    weight, bias = torch.rand(2, args.features, device=device, dtype=x.dtype)
    ways = {"by hand": by_hand, "F.layer_norm": fused}
    if args.compile and not (missing := why_not_compiled(device)):
        ways["compiled"] = torch.compile(by_hand)
    elif args.compile:
        print(f"compiled: left out, {missing}")

    expected = by_hand(x.double(), weight.double(), bias.double())
    measurements = {}
    for name, function in ways.items():
        error = (function(x, weight, bias).double() - expected).abs().max().item()
        print(f"{name}: largest difference from double precision {error:.1e}")
        measurements[name] = measure(name, function, x, weight, bias, args.seconds)
    Compare(list(measurements.values())).print()
    words = [f"{name.replace(' ', '_')}_us={m.median * 1e6:.1f}" for name, m in measurements.items()]
    print("result:", *words)


if __name__ == "__main__":
    main()
