"""Recognize handwritten digits. The same program, ready for jobs."""

import argparse
import os
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from torch import nn

parser = argparse.ArgumentParser(description=__doc__)
option = parser.add_argument
option("--data", type=Path, required=True, help="the file digits.npz")
option("--out", type=Path, required=True, help="folder for what this run writes")
option("--epochs", type=int, default=8, help="in all, also over several jobs")
args = parser.parse_args()

file = numpy.load(args.data)
images = torch.tensor(file["images"]).float().flatten(1) / 16  # 1797 x 64
labels = torch.tensor(file["labels"]).long()
device = "cuda" if torch.cuda.is_available() else "cpu"
print(f"device: {device}", flush=True)

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

args.out.mkdir(parents=True, exist_ok=True)
checkpoint = args.out / "checkpoint.pt"
start = 0
if checkpoint.exists():
    saved = torch.load(checkpoint, map_location=device)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    start = saved["epoch"] + 1
    print(f"going on with epoch {start}", flush=True)

for epoch in range(start, args.epochs):
    torch.manual_seed(1000 + epoch)  # the order depends on the epoch only
    for part in torch.randperm(1500).split(50):
        loss = F.cross_entropy(model(images[part].to(device)), labels[part].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = model(images[1500:].to(device)).argmax(dim=1).cpu() == labels[1500:]
    print(f"epoch {epoch} accuracy {right.float().mean():.2f}", flush=True)
    parts = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({**parts, "epoch": epoch}, checkpoint.with_suffix(".part"))
    os.replace(checkpoint.with_suffix(".part"), checkpoint)  # whole or not at all
