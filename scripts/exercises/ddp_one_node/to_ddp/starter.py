"""Train a small network on one device. Turn it into DDP: change the five places that are marked.

One process:    python to_ddp.py weights.pt
Two processes:  torchrun --standalone --nproc-per-node=2 to_ddp.py weights.pt
"""

import sys

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

GLOBAL_BATCH, EPOCHS, SEED = 64, 3, 7


def main() -> None:
    # 1. Join the process group (backend "gloo": this exercise runs on CPUs).
    rank, world_size = 0, 1

    # 2. Each process takes its own share of every batch. A DistributedSampler with seed SEED gives all
    #    processes together the order that the RandomSampler gives to one.
    digits = load_digits()
    images = torch.tensor(digits.data[:1408], dtype=torch.float32) / 16
    train_set = TensorDataset(images, torch.tensor(digits.target[:1408]))
    sampler = RandomSampler(train_set, generator=torch.Generator())
    batches = DataLoader(train_set, GLOBAL_BATCH, sampler=sampler)

    # 3. Let DDP average the gradients.
    torch.manual_seed(SEED)
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(EPOCHS):
        # 4. Another order in each epoch, the same on all processes.
        sampler.generator.manual_seed(SEED + epoch)
        total = torch.zeros(2)  # sum of losses, number of images
        for inputs, labels in batches:
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += torch.tensor([loss.item() * len(labels), len(labels)])
        # 5. Sum over all processes; then one process alone prints and, below, saves.
        print(f"epoch={epoch} loss={total[0] / total[1]:.5f} images={total[1]:.0f}", flush=True)

    torch.save(model.state_dict(), sys.argv[1])
    print(f"saved by rank {rank} of {world_size}", flush=True)


if __name__ == "__main__":
    main()
