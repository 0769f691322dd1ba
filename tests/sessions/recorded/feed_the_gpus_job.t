# recorded 2026-11-29 with slurm-wlm 22.05.8
A job that brings shards to the node's own disk; a folder stands for it.

  $ export SLURM_TMPDIR=$(mktemp --directory)
  $ job=$(sbatch --parsable scripts/slurm/feed_gpus.sbatch)
  $ grep -E "^(read|[0-9]+ workers|backend|epoch|result)" feed_gpus-$job.out
  read shards     203655 images/s (203655-203655)
  1 workers          106 images/s (106-106)
  2 workers          257 images/s (257-257)
  4 workers          249 images/s (249-249)
  8 workers          244 images/s (244-244)
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/3 train_loss=2.3101 val_loss=2.2563 val_accuracy=0.0938 images_per_s=139
  epoch 2/3 train_loss=2.1566 val_loss=2.0513 val_accuracy=0.1875 images_per_s=161
  epoch 3/3 train_loss=1.9724 val_loss=1.9652 val_accuracy=0.1250 images_per_s=184
  result: val_accuracy=0.1250 val_loss=1.9652 train_loss=1.9724 images_per_s=161 epochs=3
  $ ls $SLURM_TMPDIR
  $ unset SLURM_TMPDIR
