"""Train a small network under DDP.

One process:    torchrun --standalone --nproc-per-node=1 to_ddp.py weights.pt
Two processes:  torchrun --standalone --nproc-per-node=2 to_ddp.py weights.pt
"""

import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

GLOBAL_BATCH, EPOCHS, SEED = 64, 3, 7


def main() -> None:
    # 1. Join the process group (backend "gloo": this exercise runs on CPUs).
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()

    # 2. Each process takes its own share of every batch.
    digits = load_digits()
    images = torch.tensor(digits.data[:1408], dtype=torch.float32) / 16
    train_set = TensorDataset(images, torch.tensor(digits.target[:1408]))
    sampler = DistributedSampler(train_set, world_size, rank, seed=SEED)
    batches = DataLoader(train_set, GLOBAL_BATCH // world_size, sampler=sampler)

    # 3. Let DDP average the gradients.
    torch.manual_seed(SEED)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(EPOCHS):
        # 4. Another order in each epoch, the same on all processes.
        sampler.set_epoch(epoch)
        total = torch.zeros(2)  # sum of losses, number of images
        for inputs, labels in batches:
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += torch.tensor([loss.item() * len(labels), len(labels)])
        # 5. Sum over all processes; then one process alone prints and, below, saves.
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch={epoch} loss={total[0] / total[1]:.5f} images={total[1]:.0f}", flush=True)

    if rank == 0:
        torch.save(model.module.state_dict(), sys.argv[1])  # .module: the names without DDP's "module."
        print(f"saved by rank {rank} of {world_size}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
