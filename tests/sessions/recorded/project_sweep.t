# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The sweep, from a snapshot; the working copy is broken meanwhile.

  $ python scripts/train/make_archive.py data/digits.tar
  data/digits.tar: 1797 images, 1.8 MB
  $ git status --short
  $ export CODE=snapshots/$(git rev-parse --short HEAD)
  $ mkdir --parents $CODE logs
  $ git archive HEAD | tar --extract --directory=$CODE
  $ job=$(sbatch --parsable --output=logs/%x-%A_%a.out $CODE/scripts/slurm/project_sweep.sbatch)
  $ echo "half a sentence" >> scripts/train/one_device.py
  $ squeue --jobs=$job --noheader
  $ python scripts/train/best_run.py runs/${CODE##*/}/sweep-*
  val_accuracy  val_loss  batch_size  lr          run
        0.9893    0.0456  32          0.05        sweep-lr0.05-batch32
        0.9812    0.0715  128         0.2         sweep-lr0.2-batch128
        0.9759    0.1065  32          0.0125      sweep-lr0.0125-batch32
        0.9383    0.2142  128         0.05        sweep-lr0.05-batch128
        0.6461    1.9937  128         0.0125      sweep-lr0.0125-batch128
        0.0724    2.3112  32          0.2         sweep-lr0.2-batch32
  best: --batch-size 32 --lr 0.05
  $ git checkout --quiet scripts/train/one_device.py
