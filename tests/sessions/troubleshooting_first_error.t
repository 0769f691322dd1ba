One of two ranks raises; the log ends with something else.

  $ cat > train.py <<'END'
  > import torch
  > import torch.distributed as dist
  > 
  > def load(batch):
  >     if batch == 2 and dist.get_rank() == 1:
  >         raise KeyError("label")
  > 
  > def main():
  >     dist.init_process_group("gloo")
  >     for batch in range(3):
  >         load(batch)
  >         dist.all_reduce(torch.ones(1))
  > 
  > main()
  > END
  $ torchrun --standalone --nproc-per-node=2 train.py > train.log 2>&1
  [1]
  $ wc --lines < train.log
  \d+ (re)
  $ grep -oE "torch\S+ChildFailedError" train.log
  torch.distributed.elastic.multiprocessing.errors.ChildFailedError
  $ python scripts/train/first_error.py train.log
  line \d+, rank 1: KeyError: 'label' (re)
  in \S+train.py:6 (re)
