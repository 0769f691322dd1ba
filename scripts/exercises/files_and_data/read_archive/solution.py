"""A dataset of images in a zip file, read without unpacking."""

import io
import os
import zipfile

import numpy as np
import torch
from PIL import Image
from torch.utils.data import Dataset


class ZippedImages(Dataset):
    """Images ``…/LABEL/NAME.png`` of the zip file ``path``: an item is a uint8 tensor [height, width] and its label."""

    def __init__(self, path: str):
        self.path, self.archive, self.owner = path, None, None
        with zipfile.ZipFile(path) as archive:
            self.names = sorted(name for name in archive.namelist() if name.endswith(".png"))

    def __getstate__(self) -> dict:
        return {**self.__dict__, "archive": None, "owner": None}  # processes that are not forked get a pickled copy

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        if self.owner != os.getpid():  # a new process: what it inherited shares its position with others
            self.archive, self.owner = zipfile.ZipFile(self.path), os.getpid()
        name = self.names[index]
        image = Image.open(io.BytesIO(self.archive.read(name)))
        return torch.from_numpy(np.array(image)), int(name.split("/")[-2])
