RANK exported in the job script: there it is the batch shell's own number, 0, and every task inherits it. srun would
read the rest of this file as its input, hence /dev/null.

  $ cat > plain.py <<'EOF'
  > import torch.distributed as dist
  > dist.init_process_group("gloo")
  > EOF
  $ SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NTASKS=4  # what a batch script sees
  $ export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID WORLD_SIZE=$SLURM_NTASKS
  $ export MASTER_ADDR=cpu1 MASTER_PORT=24200
  $ srun --quiet --nodes=2 --ntasks-per-node=2 --kill-on-bad-exit=1 python plain.py 2>&1 |
  >   grep '^torch.*EADDRINUSE' | sort --unique
  torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 24200, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use
  $ srun --quiet --nodes=2 --ntasks-per-node=2 --kill-on-bad-exit=1 python scripts/train/launch.py 2>&1 |
  >   grep -E "I saw|That means|What to do" | awk '!seen[$1 $2]++'
  launch: I saw RANK=0, but the launcher says that this is process \d. (re)
    That means: RANK was exported once for all processes, so several of them believe to be the same one.
    What to do: delete RANK, LOCAL_RANK and WORLD_SIZE from the job script: the launcher is asked anyway
  $ unset RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT
