# recorded 2026-11-29 with torch 2.14.1
FSDP on two processes: each keeps half of the weights.

  $ cat > shards.py <<'END'
  > import torch
  > import torch.distributed as dist
  > from torch import nn
  > from torch.distributed.fsdp import fully_shard
  > 
  > dist.init_process_group("gloo")
  > torch.manual_seed(1)  # equal weights: unlike DDP, fully_shard sends none
  > model = nn.Sequential(nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 10))
  > whole = sum(p.numel() for p in model.parameters())
  > for part in (model[0], model[2], model):  # each large layer, then the whole
  >     fully_shard(part)
  > optimizer = torch.optim.Adam(model.parameters())
  > model(torch.randn(8, 1000)).sum().backward()
  > optimizer.step()
  > mine = sum(p.to_local().numel() for p in model.parameters())
  > print(f"rank {dist.get_rank()} keeps {mine} of {whole} weights\n", end="")
  > dist.destroy_process_group()
  > END
  $ torchrun --standalone --nproc-per-node=2 shards.py | sort
  rank 0 keeps 505505 of 1011010 weights
  rank 1 keeps 505505 of 1011010 weights
