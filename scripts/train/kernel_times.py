"""The kernels that ran on a GPU, by kind: how long they took, and what of NCCL's time nothing else hides.

Used by profile_ranks.py. Fields, in ms of one step:

computing_ms, nccl_ms, memory_ms  sums over the kernels that compute, over NCCL's, over copies and fills by the driver
only_nccl_ms                      the time in which only NCCL's ran
idle_ms                           the time in which nothing ran: where it is large, the GPU waited for Python
profiled_step_ms                  from the first kernel's start to the last one's end, by steps
computing_kernels, …              how many
longest                           name of a kernel -> how often it ran, and its time
"""

from collections.abc import Callable

import torch

LONGEST = 12  # kernels that have a row of their own
Event = tuple[str, int, int]  # name, start and end in ns
Span = tuple[int, int]  # start and end in ns


def kind_of(name: str) -> str:
    """``"nccl"``, ``"memory"`` (copies and fills by the driver) or ``"computing"``, by the name of a kernel."""
    name = name.lower()
    return "nccl" if "nccl" in name else "memory" if name.startswith(("memcpy", "memset")) else "computing"


def covered(spans: list[Span]) -> list[Span]:
    """Spans that do not overlap and cover the same time, in order."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def length(spans: list[Span]) -> int:
    return sum(end - start for start, end in spans)


def of_a_step(events: list[Event], steps: int) -> dict:
    """A row's fields on the kernels of ``steps`` steps: ms and calls of one step.

    ValueError without events.
    """
    if not events:
        raise ValueError("the profiler saw no kernels")
    spans: dict[str, list[Span]] = {"computing": [], "nccl": [], "memory": []}
    calls: dict[str, list[int]] = {}
    for name, start, end in events:
        spans[kind_of(name)].append((start, end))
        calls.setdefault(name[:110], []).append(end - start)
    busy = covered(spans["computing"] + spans["memory"])
    any_kind = covered([span for found in spans.values() for span in found])
    whole = any_kind[-1][1] - any_kind[0][0]

    def ms(ns: int) -> float:
        return round(ns / steps / 1e6, 3)

    longest = sorted(calls.items(), key=lambda item: -sum(item[1]))[:LONGEST]
    return {
        **{f"{kind}_ms": ms(length(found)) for kind, found in spans.items()},
        "only_nccl_ms": ms(length(any_kind) - length(busy)),
        "idle_ms": ms(whole - length(any_kind)),
        "profiled_step_ms": ms(whole),
        **{f"{kind}_kernels": round(len(found) / steps) for kind, found in spans.items()},
        "longest": {name: [round(len(times) / steps), ms(sum(times))] for name, times in longest},
    }


def seen(step: Callable[[], None], steps: int) -> list[Event]:
    """What ran on this process's GPU in so many steps, which PyTorch's profiler records."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
    events = [e for e in profiler.profiler.kineto_results.events() if e.device_type() == torch.autograd.DeviceType.CUDA]
    return [(e.name(), e.start_ns(), e.start_ns() + e.duration_ns()) for e in events if e.duration_ns()]
