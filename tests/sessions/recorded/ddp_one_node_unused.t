# recorded 2026-11-29 with torch 2.14.1
A model with a layer that forward() does not use.

  $ cat > unused.py <<'EOF'
  > import torch
  > import torch.distributed as dist
  > from torch import nn
  > 
  > class Net(nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.body, self.extra = nn.Linear(8, 4), nn.Linear(4, 2)
  > 
  >     def forward(self, x):
  >         return self.body(x)
  > 
  > dist.init_process_group("gloo")
  > model = nn.parallel.DistributedDataParallel(Net())
  > for step in range(2):
  >     model(torch.randn(5, 8)).sum().backward()
  >     print(f"rank {dist.get_rank()}: step {step} done", flush=True)
  > EOF
  $ torchrun --standalone --monitor-interval=3 --nproc-per-node=2 unused.py > unused.log 2>&1
  [1]
  $ grep rank0 unused.log | grep -o -E "Runtime.*loss\.|Parameter .*" | fold -s -w 72
  RuntimeError: Expected to have finished reduction in the prior 
  iteration before starting a new one. This error indicates that your 
  module has parameters that were not used in producing loss.
  Parameter indices which did not receive grad for rank 0: 2 3
