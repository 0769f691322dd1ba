# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
A job that brings shards to the node's own disk; a folder stands for it.

  $ export SLURM_TMPDIR=$(mktemp --directory)
  $ job=$(sbatch --parsable scripts/slurm/feed_gpus.sbatch)
  $ grep -E "^(read|[0-9]+ workers|backend|epoch|result)" feed_gpus-$job.out
  read shards     276605 images/s (276605-276605)
  1 workers          247 images/s (247-247)
  2 workers          617 images/s (617-617)
  4 workers          589 images/s (589-589)
  8 workers          284 images/s (284-284)
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/3 train_loss=2.3101 val_loss=2.2563 val_accuracy=0.0938 images_per_s=44
  epoch 2/3 train_loss=2.1566 val_loss=2.0513 val_accuracy=0.1875 images_per_s=143
  epoch 3/3 train_loss=1.9724 val_loss=1.9652 val_accuracy=0.1250 images_per_s=168
  result: val_accuracy=0.1250 val_loss=1.9652 train_loss=1.9724 images_per_s=143 epochs=3
  $ ls $SLURM_TMPDIR
  $ unset SLURM_TMPDIR
