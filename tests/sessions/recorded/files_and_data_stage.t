# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The staging job, with a folder that stands for the node's own disk: one archive in, results out, nothing left behind.

  $ export SLURM_TMPDIR=$(mktemp --directory)
  $ python scripts/train/make_archive.py data/digits.tar
  data/digits.tar: 1797 images, 1.8 MB
  $ tar --list --file=data/digits.tar | head --lines=3
  digits/0/0000.png
  digits/1/0001.png
  digits/2/0002.png
  $ job=$(sbatch --parsable scripts/slurm/stage_data.sbatch)
  $ cat stage_data-$job.out
  backend=none world_size=1 device=cpu (no GPU is visible)
  epoch 1/5 train_loss=2.0931 val_loss=1.2966 val_accuracy=0.6354 images_per_s=803
  epoch 2/5 train_loss=0.5871 val_loss=0.3850 val_accuracy=0.8820 images_per_s=1276
  epoch 3/5 train_loss=0.2022 val_loss=0.0920 val_accuracy=0.9705 images_per_s=839
  epoch 4/5 train_loss=0.0771 val_loss=0.0723 val_accuracy=0.9705 images_per_s=1036
  epoch 5/5 train_loss=0.0406 val_loss=0.0634 val_accuracy=0.9705 images_per_s=1366
  result: val_accuracy=0.9705 val_loss=0.0634 train_loss=0.0406 images_per_s=1036 epochs=5
  $ ls runs/stage-$job
  config.json
  events.out.tfevents.1795996431.gpu1.3613.0
  metrics.jsonl
  $ ls $SLURM_TMPDIR
