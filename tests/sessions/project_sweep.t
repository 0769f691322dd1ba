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
   +0.9[89]\d+ +\S+  32          0.05        sweep-lr0.05-batch32 (re)
   +0.9\d+ +\S+ +\S+ +\S+ +sweep-lr\S+-batch\d+ (re)
   +0.9\d+ +\S+ +\S+ +\S+ +sweep-lr\S+-batch\d+ (re)
   +0.9\d+ +\S+ +\S+ +\S+ +sweep-lr\S+-batch\d+ (re)
   +0.\d+ +\S+ +\S+ +\S+ +sweep-lr\S+-batch\d+ (re)
   +0.\d+ +\S+ +\S+ +\S+ +sweep-lr\S+-batch\d+ (re)
  best: --batch-size 32 --lr 0.05
  $ git checkout --quiet scripts/train/one_device.py
