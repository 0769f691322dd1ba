The first thing to run on a new cluster: launch.py, two nodes, two tasks on each. --quiet leaves out "job … queued".

  $ srun --quiet --partition=gpu --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 \
  >   python scripts/train/launch.py
  launcher:     slurm \(job \d+\) (re)
  rank:         0 of 4
  local rank:   0 of 2 on gpu1
  nodes:        2
  rank 0 is at: gpu1:2\d\d\d\d (re)
  cores:        \d+ usable, OMP_NUM_THREADS=1 (re)
  GPUs:         CUDA_VISIBLE_DEVICES=0,1
  backend=gloo world_size=4 device=cpu \(no GPU is visible.*\) (re)
  rank 0: gpu1 local rank 0 cpu
  rank 1: gpu1 local rank 1 cpu
  rank 2: gpu2 local rank 0 cpu
  rank 3: gpu2 local rank 1 cpu
  all-reduce of 1 … 4: 10, expected 10: ok \([\d.]+ ms\) (re)
