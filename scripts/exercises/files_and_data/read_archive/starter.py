"""A dataset of images in a zip file, read without unpacking."""

import io
import zipfile

import numpy as np
import torch
from PIL import Image
from torch.utils.data import Dataset


class ZippedImages(Dataset):
    """Images ``…/LABEL/NAME.png`` of the zip file ``path``: an item is a uint8 tensor [height, width] and its label."""

    def __init__(self, path: str):
        self.archive = zipfile.ZipFile(path)
        self.names = sorted(name for name in self.archive.namelist() if name.endswith(".png"))

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        name = self.names[index]
        image = Image.open(io.BytesIO(self.archive.read(name)))
        return torch.from_numpy(np.array(image)), int(name.split("/")[-2])
