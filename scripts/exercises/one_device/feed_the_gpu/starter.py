"""A DataLoader for one process of a job. It is right, and it is slow, or it slows the whole node: mend the options."""

import os

from torch.utils.data import DataLoader, Dataset


def make_loader(dataset: Dataset, batch_size: int, cores: int, ranks: int, on_gpu: bool) -> DataLoader:
    """Batches in random order, for one of the ``ranks`` processes that share ``cores`` cores of the node.

    ``cores`` are those of the job, not of the node. ``on_gpu``: the batches will be copied to a GPU.
    """
    return DataLoader(dataset, batch_size, shuffle=True, num_workers=os.cpu_count())
