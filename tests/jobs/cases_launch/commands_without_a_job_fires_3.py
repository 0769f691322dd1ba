import torch

values = torch.zeros(3)
print(values[0], values[ 1])
