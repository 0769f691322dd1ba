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
  backend=none world_size=1 device=cpu .* (re)
  epoch 1/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 3/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 4/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 5/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=0.9\d+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=5 (re)
  $ ls runs/stage-$job
  config.json
  events.out.tfevents.* (glob)
  metrics.jsonl
  $ ls $SLURM_TMPDIR
