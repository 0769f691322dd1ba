How fast the ranks of two nodes talk: all of them, and inside each node.

  $ srun --quiet --partition=gpu --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 \
  >   python scripts/train/bandwidth.py
  backend=gloo world_size=4 device=cpu \(no GPU is visible.*\) (re)
  all-reduce of 100 MB, median of 5, bus bandwidth:
  gpu1 and gpu2 \(4 ranks\): [\d.]+ ms, [\d.]+ GB/s (re)
  gpu1 \(2 ranks\): [\d.]+ ms, [\d.]+ GB/s (re)
  gpu2 \(2 ranks\): [\d.]+ ms, [\d.]+ GB/s (re)
