# recorded 2026-11-28 with slurm-wlm 22.05.8 and torch 2.14.1
One node fewer than torchrun expects. The wait is shortened from 600 to 3 seconds.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ srun() { command srun --quiet "$@" < /dev/null > log 2>&1; grep -v "^srun:" log; grep "^srun:" log; }  # srun's own words last
#show
  $ srun --nodes=1 torchrun --nnodes=2 --rdzv-backend=c10d --rdzv-id=fewer --rdzv-endpoint=cpu1:24400 \
  >   --rdzv-conf=join_timeout=3 scripts/train/launch.py 2>&1 | tail --lines=2
  torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError
  srun: error: cpu1: task 0: Exited with exit code 1
