Rank 0 enters a collective that the others do not: in one program nobody comes, in the other they come with something
else.

  $ cat > alone.py <<'EOF'
  > from datetime import timedelta
  > import time
  > import torch
  > import torch.distributed as dist
  > 
  > dist.init_process_group("gloo", timeout=timedelta(seconds=10))
  > if dist.get_rank() == 0:
  >     dist.all_reduce(torch.ones(1))
  > time.sleep(60)
  > EOF
  $ cat > different.py <<'EOF'
  > import torch
  > import torch.distributed as dist
  > 
  > dist.init_process_group("gloo")
  > accuracy, gradients = torch.ones(1), torch.ones(100)
  > dist.all_reduce(accuracy if dist.get_rank() == 0 else gradients)
  > EOF
  $ torchrun --standalone --nproc-per-node=2 alone.py 2>&1 |
  >   grep 'rank.*Error: ' | sed -E 's|\[/\S+\] ||'
  [rank0]: RuntimeError: Timed out waiting 10000ms for recv operation to complete
  $ torchrun --standalone --monitor-interval=3 --nproc-per-node=2 different.py 2>&1 |
  >   grep -o "Received data size.*" | fold -s -w 72
  Received data size doesn't match expected size. Is there a distributed 
  collective mismatch in your code?
  $ export TORCH_DISTRIBUTED_DEBUG=DETAIL
  $ torchrun --standalone --monitor-interval=3 --nproc-per-node=2 different.py 2>&1 |
  >   grep rank0 | grep -o -E "Detected mismatch between collectives on ranks|Tensor shapes: .*"
  Detected mismatch between collectives on ranks
  Tensor shapes: 1vs 100
  $ unset TORCH_DISTRIBUTED_DEBUG
