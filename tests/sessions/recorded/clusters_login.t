# recorded 2026-11-29 without a scheduler
Many centers end programs on their login nodes after some minutes of computing. Here the limit is one second.

  $ echo 'sum(i * i for i in range(10**12))' > train.py
  $ bash -c 'ulimit -S -t 1; python train.py; echo "exit code $?"'
  bash: line 1:  8325 CPU time limit exceeded python train.py
  exit code 152
