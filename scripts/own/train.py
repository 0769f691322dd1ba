"""Recognize handwritten digits. For a laptop: no options, all in the present folder."""

import numpy
import torch
import torch.nn.functional as F
from torch import nn

file = numpy.load("digits.npz")
images = torch.tensor(file["images"]).float().flatten(1) / 16  # 1797 x 64
labels = torch.tensor(file["labels"]).long()
device = "cuda" if torch.cuda.is_available() else "cpu"

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(8):
    for part in torch.randperm(1500).split(50):
        loss = F.cross_entropy(model(images[part].to(device)), labels[part].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = model(images[1500:].to(device)).argmax(dim=1).cpu() == labels[1500:]
    print(f"epoch {epoch} accuracy {right.float().mean():.2f}")

torch.save(model.state_dict(), "model.pt")
