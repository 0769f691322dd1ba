"""What the parent of all forks imports, so that none of them has to (see ``train_forks.py``)."""

import torch
import torch._dynamo
import torch.distributed.fsdp
import torchvision.datasets
import torchvision.models  # noqa: F401
from torch.utils import tensorboard  # noqa: F401

import data  # noqa: F401
import feed  # noqa: F401
import launch  # noqa: F401
import metrics  # noqa: F401
import models  # noqa: F401
import restart  # noqa: F401
import sharded  # noqa: F401
import transformer  # noqa: F401

torch.set_num_threads(1)
