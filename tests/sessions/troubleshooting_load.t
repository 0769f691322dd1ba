Checkpoints that do not load.

  $ cat > save.py <<'END'
  > import os
  > import torch
  > import torch.distributed as dist
  > from torch import nn
  > os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="localhost", MASTER_PORT="0")
  > dist.init_process_group("gloo")
  > ddp = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
  > torch.save(ddp.state_dict(), "wrapped.pt")
  > torch.save({"model": ddp.module}, "whole.pt")
  > torch.save(nn.Linear(4, 3).state_dict(), "wider.pt")
  > dist.destroy_process_group()
  > END
  $ cat > load.py <<'END'
  > import sys
  > import torch
  > from torch import nn
  > nn.Linear(4, 2).load_state_dict(torch.load(sys.argv[1]))
  > END
  $ python save.py
  $ python load.py wrapped.pt 2>&1 | grep -A 2 "^RuntimeError" | tr -d '\t'
  RuntimeError: Error(s) in loading state_dict for Linear:
  Missing key(s) in state_dict: "weight", "bias". 
  Unexpected key(s) in state_dict: "module.weight", "module.bias". 
  $ python load.py whole.pt 2>&1 | grep -oE "^_pickle\S* [^.]*\."
  _pickle.UnpicklingError: Weights only load failed.
  $ python load.py wider.pt 2>&1 | tail -n 1 | tr -d '\t' | fold -s -w 80
  size mismatch for bias: copying a param with shape torch.Size([3]) from 
  checkpoint, the shape in current model is torch.Size([2]).
