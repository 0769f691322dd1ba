# recorded 2026-11-29 with slurm-wlm 22.05.8
A short test as a job, then the whole training, which goes on from the test's checkpoint.

  $ ln --symbolic ../.venv .venv
  $ workshop check train.sbatch | tail --lines=1
  0 errors, 0 warnings, 0 notes. Submit with: sbatch train.sbatch
  $ EPOCHS=2 sbatch --wait train.sbatch
  Submitted batch job 7696
  $ cat own-*.out
  device: cpu
  epoch 0 accuracy 0.81
  epoch 1 accuracy 0.90
  $ rm own-*.out
  $ sbatch --wait train.sbatch
  Submitted batch job 7697
  $ head --lines=3 own-*.out
  device: cpu
  going on with epoch 2
  epoch 2 accuracy 0.89
  $ ls runs/first
  checkpoint.pt
