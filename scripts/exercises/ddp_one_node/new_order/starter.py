"""The order in which a rank trains on its images. Two mistakes are in here, and neither prints anything."""

import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train_order(rank: int, world_size: int, images: int, epochs: int) -> list[list[int]]:
    """For each epoch the numbers of the images that this rank trains on, in the order of the batches."""
    train_set = TensorDataset(torch.arange(images))
    sampler = DistributedSampler(train_set, world_size, rank, seed=rank)
    batches = DataLoader(train_set, batch_size=8, sampler=sampler)
    orders = []
    for _ in range(epochs):
        orders.append([number for (batch,) in batches for number in batch.tolist()])
    return orders
