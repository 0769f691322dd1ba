# recorded 2026-11-29 with torch 2.14.1
The program as it is, in a folder of its own.

  $ mkdir mine && cp scripts/own/* scripts/train/digits.npz mine/ && cd mine
  $ python train.py | tail --lines=2
  epoch 6 accuracy 0.93
  epoch 7 accuracy 0.91
  $ ls
  digits.npz
  model.pt
  train.lsf
  train.pbs
  train.py
  train.sbatch
  train_job.py
