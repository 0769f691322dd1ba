# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The first thing to run on a new cluster: launch.py, two nodes, two tasks on each. --quiet leaves out "job … queued".

  $ srun --quiet --partition=gpu --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 \
  >   python scripts/train/launch.py
  launcher:     slurm (job 3075)
  rank:         0 of 4
  local rank:   0 of 2 on gpu1
  nodes:        2
  rank 0 is at: gpu1:23075
  cores:        2 usable, OMP_NUM_THREADS=1
  GPUs:         CUDA_VISIBLE_DEVICES=0,1
  backend=gloo world_size=4 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  rank 0: gpu1 local rank 0 cpu
  rank 1: gpu1 local rank 1 cpu
  rank 2: gpu2 local rank 0 cpu
  rank 3: gpu2 local rank 1 cpu
  all-reduce of 1 … 4: 10, expected 10: ok (17.6 ms)
