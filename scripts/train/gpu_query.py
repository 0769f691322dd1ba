"""What GPUs does this job see? Run it inside a job: srun python scripts/train/gpu_query.py

It shows the variables by which the scheduler hands out GPUs, and the devices that are really behind them.
"""

import os
import socket
from pathlib import Path

import torch

import launch

VARIABLES = (
    *launch.SHOWN_GPUS,
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


def built_for() -> str:
    """Whose GPUs this PyTorch was built for: ``"CUDA 13.0"``, ``"ROCm 7.1"``, ``"Intel's XPU"`` or ``"CPUs"``."""
    if torch.version.hip:
        return f"ROCm {torch.version.hip}"
    if torch.version.cuda:
        return f"CUDA {torch.version.cuda}"
    return "Intel's XPU" if getattr(torch.version, "xpu", None) else "CPUs"


def reason(built: str, dev: Path = Path("/dev")) -> str:
    """Why there is no GPU, as far as it can be told from here. ``built``: see built_for; ``dev``: the device files.

    AMD's driver is /dev/kfd, and the cards of AMD and Intel are /dev/dri/renderD….
    """
    if not built.startswith(("CUDA", "ROCm")):
        return f"this PyTorch was built for {built}: install another build, or follow your site's page on Intel's GPUs"
    amd = (dev / "kfd").exists()
    if built.startswith("ROCm"):
        if not amd:
            return "this node has no /dev/kfd: a node without AMD's GPUs, or a container without --rocm"
        return "AMD's driver is here (/dev/kfd): the job asked for no GPU, or may not use it"
    if not (dev / "nvidiactl").exists():
        if amd:
            return "this node has AMD's GPUs (/dev/kfd): install PyTorch's build for ROCm"
        return "this node has no /dev/nvidia… devices: a node without GPUs, or a container without --nv"
    if not list(dev.glob("nvidia[0-9]*")):
        return "the driver is here, but no device: the job asked for no GPU"
    return "devices are here, but the job may not use them, or the driver is too old for this PyTorch"


def main() -> None:
    print(f"host {socket.gethostname()}, PyTorch {torch.__version__}, built for {built_for()}")
    print(*variables(), sep="\n")
    found = devices()
    if found:
        print(*found, sep="\n")
    else:
        print(f"{launch.why_no_gpu()}; {reason(built_for())}")


if __name__ == "__main__":
    main()
