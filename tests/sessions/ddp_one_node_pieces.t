Gradient accumulation on two ranks: the same weights, and a quarter of the all-reduces with no_sync().

  $ torchrun --standalone --nproc-per-node=2 scripts/train/accumulate.py
  6 steps, whole batches: 6 all-reduces
  4 pieces, each synchronized: 24 all-reduces, weights the same to 1e-12
  4 pieces, with no_sync(): 6 all-reduces, weights the same to 1e-12
