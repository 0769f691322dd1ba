# recorded 2026-11-29 with torch 2.14.1
A job with one core that starts four workers (ddp.py --workers 4), and a worker that is killed, as Linux does when
memory is exhausted.

  $ cat > load.py <<'END'
  > import os, signal, sys
  > import torch
  > from torch.utils.data import DataLoader, Dataset
  > 
  > class Numbers(Dataset):
  >     def __len__(self):
  >         return 8
  >     def __getitem__(self, index):
  >         if "killed" in sys.argv and index == 1:
  >             os.kill(os.getpid(), signal.SIGKILL)
  >         return torch.tensor(float(index))
  > 
  > workers = 1 if "killed" in sys.argv else 4
  > print(sum(batch.sum() for batch in DataLoader(Numbers(), 2, num_workers=workers)))
  > END
  $ taskset --cpu-list 0 python load.py 2>&1 |
  >   grep -o "This DataLoader.* system is [0-9]*" | head --lines=1 | fold -s -w 72
  This DataLoader will create 4 worker processes in total. Our suggested 
  max number of worker in current system is 1
  $ python load.py killed 2>&1 | grep -o "^RuntimeError: DataLoader.*" | head --lines=1
  RuntimeError: DataLoader worker (pid 535) is killed by signal: Killed. 
