A short test as a job, then the whole training, which goes on from the test's checkpoint.

  $ ln --symbolic ../.venv .venv
  $ workshop check train.sbatch | tail --lines=1
  0 errors, 0 warnings, 0 notes. Submit with: sbatch train.sbatch
  $ EPOCHS=2 sbatch --wait train.sbatch
  Submitted batch job \d+ (re)
  $ cat own-*.out
  device: cpu
  epoch 0 accuracy 0\.\d\d (re)
  epoch 1 accuracy 0\.\d\d (re)
  $ rm own-*.out
  $ sbatch --wait train.sbatch
  Submitted batch job \d+ (re)
  $ head --lines=3 own-*.out
  device: cpu
  going on with epoch 2
  epoch 2 accuracy 0\.\d\d (re)
  $ ls runs/first
  checkpoint.pt
