One rank raises in its third step; the other one waits for it in a collective.

  $ cat > train.py <<'EOF'
  > import torch
  > import torch.distributed as dist
  > from torch.distributed.elastic.multiprocessing.errors import record
  > 
  > @record
  > def main():
  >     dist.init_process_group("gloo")
  >     for step in range(3):
  >         if step == 2 and dist.get_rank() == 1:
  >             raise ValueError("batch 2 has a label of 10, but there are 10 classes")
  >         dist.all_reduce(torch.ones(1))
  > 
  > main()
  > EOF
  $ torchrun --standalone --monitor-interval=3 --nproc-per-node=2 train.py > train.log 2>&1
  [1]
  $ grep 'rank.*Error: ' train.log | sed -E 's|\[/\S+\] ||' | cut -c -72
  [rank1]: ValueError: batch 2 has a label of 10, but there are 10 classes
  \[rank0\]: RuntimeError: Connection closed by peer \[\S+\]:\d+.* (re)
  $ grep -A 4 "Root Cause" train.log
  Root Cause (first observed failure):
  \[[01]\]: (re)
    time      : .* (re)
    host      : .* (re)
    rank      : [01] \(local_rank: [01]\) (re)
