"""What GPUs does this job see? Run it inside a job: srun python scripts/train/gpu_query.py

It shows the variables by which the scheduler hands out GPUs, and the devices that are really behind them.
"""

import os
import socket
from pathlib import Path

import torch

import launch

VARIABLES = (
    "CUDA_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "SLURM_JOB_GPUS",
    "SLURM_STEP_GPUS",
    "SLURM_GPUS_ON_NODE",
    "PBS_NGPUS",
    "LSB_AFFINITY_HOSTFILE",
)


def variables() -> list[str]:
    """The variables that are set, one a line; CUDA_VISIBLE_DEVICES always."""
    return [
        f"{name}={os.environ.get(name, '(not set)')}"
        for name in VARIABLES
        if name in os.environ or name == "CUDA_VISIBLE_DEVICES"
    ]


def devices() -> list[str]:
    """One line for each GPU that PyTorch can use; numbers count from 0 in every job, whatever the node calls them."""
    lines = []
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        free, total = torch.cuda.mem_get_info(index)
        lines.append(
            f"cuda:{index} {properties.name}, {total / 2**30:.1f} GiB of memory ({free / 2**30:.1f} free), "
            f"compute capability {properties.major}.{properties.minor}, UUID {getattr(properties, 'uuid', '?')}"
        )
    return lines


def reason() -> str:
    """Why there is no GPU, as far as it can be told from here."""
    if not torch.backends.cuda.is_built():
        return "this PyTorch was built without CUDA: install another build"
    if not Path("/dev/nvidiactl").exists():
        return "this node has no /dev/nvidia… devices: a node without GPUs, or a container without --nv"
    if not list(Path("/dev").glob("nvidia[0-9]*")):
        return "the driver is here, but no device: the job asked for no GPU"
    return "devices are here, but the job may not use them, or the driver is too old for this PyTorch"


def main() -> None:
    print(f"host {socket.gethostname()}, PyTorch {torch.__version__}, its CUDA {torch.version.cuda}")
    print(*variables(), sep="\n")
    found = devices()
    if found:
        print(*found, sep="\n")
    else:
        print(f"{launch.why_no_gpu()}; {reason()}")


if __name__ == "__main__":
    main()
