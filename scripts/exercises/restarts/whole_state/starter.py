"""Train for some epochs; called again, go on from the checkpoint as if nothing had happened."""

from pathlib import Path

import torch
from torch import nn


def save(path: Path, model, optimizer, scheduler, epoch: int) -> None:
    """Write the state after ``epoch`` epochs."""
    torch.save({"model": model.state_dict(), "epoch": epoch}, path)


def load(path: Path, model, optimizer, scheduler) -> int:
    """Put the saved state back; returns the number of epochs done."""
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"])
    return state["epoch"]


def train(path: Path, epochs: int) -> nn.Module:
    """Train until ``epochs`` epochs are done, from ``path`` if it is there. Leave this function as it is."""
    torch.manual_seed(1)
    inputs = torch.randn(64, 8)
    targets = inputs.sum(dim=1, keepdim=True).sin()
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.8)
    first = load(path, model, optimizer, scheduler) if path.exists() else 0
    for epoch in range(first, epochs):
        for batch in torch.randperm(64).split(16):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs[batch]), targets[batch]).backward()
            optimizer.step()
        scheduler.step()
        save(path, model, optimizer, scheduler, epoch + 1)
    return model
