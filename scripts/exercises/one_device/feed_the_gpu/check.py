"""Do the options of the learner's DataLoader fit the cores of the job and the device?"""

import importlib.util
import warnings
from pathlib import Path

from torch.utils.data import DataLoader, RandomSampler, TensorDataset

BATCH = 8


def check(path: Path) -> list[str]:
    """What is wrong with the loaders that ``make_loader`` of the file ``path`` makes: empty if nothing."""
    import torch

    spec = importlib.util.spec_from_file_location("learners_loader", path)
    module = importlib.util.module_from_spec(spec)
    dataset = TensorDataset(torch.arange(64))
    problems = []
    try:
        spec.loader.exec_module(module)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch compares with the cores of this machine, not of that job
            for cores, ranks in ((4, 1), (8, 2), (32, 4)):
                loader = module.make_loader(dataset, BATCH, cores, ranks, on_gpu=True)
                problems += _problems(loader, cores, ranks)
            on_cpu = module.make_loader(dataset, BATCH, 4, 1, on_gpu=False)
    except Exception as error:  # whatever the learner's file raises is what they need to read
        return [f"{type(error).__name__}: {error}"]
    if on_cpu.pin_memory:
        problems.append("Pinned memory only helps a copy to a GPU: leave it off where there is none.")
    return problems


def _problems(loader: DataLoader, cores: int, ranks: int) -> list[str]:
    share = cores // ranks
    where = f"{cores} cores, {ranks} rank{'s' if ranks > 1 else ''}"
    problems = []
    if not 1 <= loader.num_workers <= share:
        problems.append(f"{where}: {loader.num_workers} workers, but each rank has {share} cores.")
    elif share > 2 and loader.num_workers < share // 2:
        problems.append(f"{where}: only {loader.num_workers} of the {share} cores of a rank would load data.")
    if not loader.pin_memory:
        problems.append(f"{where}, on a GPU: without pinned memory the copy cannot overlap with computing.")
    if not loader.persistent_workers:
        problems.append(f"{where}: the workers end after each epoch and are started again for the next one.")
    if loader.batch_size != BATCH or not isinstance(loader.sampler, RandomSampler):
        problems.append(f"{where}: keep the batch size and the random order as they were.")
    return problems
