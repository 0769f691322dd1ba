# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
localhost as the master of two nodes.

  $ export MASTER_ADDR=localhost
  $ srun --quiet --nodes=2 --ntasks-per-node=1 python scripts/train/launch.py 2>&1 |
  >   grep -v '^srun: error' | awk '!seen[$0]++'
  launch: I saw MASTER_ADDR=localhost and 2 nodes.
    That means: every node would wait for a rank 0 of its own.
    What to do: unset MASTER_ADDR (the first host of the job is then taken), or export that host's name
  $ unset MASTER_ADDR
