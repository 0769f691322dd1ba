# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
How fast the ranks of two nodes talk: all of them, and inside each node.

  $ srun --quiet --partition=gpu --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 \
  >   python scripts/train/bandwidth.py
  backend=gloo world_size=4 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  all-reduce of 100 MB, median of 5, bus bandwidth:
  gpu1 and gpu2 (4 ranks): 283.4 ms, 0.53 GB/s
  gpu1 (2 ranks): 82.9 ms, 1.21 GB/s
  gpu2 (2 ranks): 116.3 ms, 0.86 GB/s
