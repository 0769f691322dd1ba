A job that brings shards to the node's own disk; a folder stands for it.

  $ export SLURM_TMPDIR=$(mktemp --directory)
  $ job=$(sbatch --parsable scripts/slurm/feed_gpus.sbatch)
  $ grep -E "^(read|[0-9]+ workers|backend|epoch|result)" feed_gpus-$job.out
  read shards +\d+ images/s \(\d+-\d+\) (re)
  1 workers +\d+ images/s \(\d+-\d+\) (re)
  2 workers +\d+ images/s \(\d+-\d+\) (re)
  4 workers +\d+ images/s \(\d+-\d+\) (re)
  8 workers +\d+ images/s \(\d+-\d+\) (re)
  backend=gloo world_size=2 device=cpu .* (re)
  epoch 1/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 3/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=\S+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=3 (re)
  $ ls $SLURM_TMPDIR
  $ unset SLURM_TMPDIR
