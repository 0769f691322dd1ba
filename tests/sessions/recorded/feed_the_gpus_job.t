# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
Shards of parts of two photographs, and the job that brings them to the node's own disk; a folder stands for it.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ mkdir ../node_disk && export SLURM_TMPDIR=$(realpath ../node_disk)
  $ grep() { wait_ended --jobs=$job; command grep "$@"; }
#show
  $ python scripts/train/make_photos.py data/photos --images 160
  data/photos: 160 images of 48 KB
  $ python scripts/train/make_shards.py data/photos data/shards --images 40
  data/shards/index.npz: 160 images of 10 labels in 4 archives
  $ job=$(sbatch --parsable scripts/slurm/feed_gpus.sbatch)
  $ grep -E "^(read|[0-9]+ workers|backend|epoch|result)" feed_gpus-$job.out
  read shards     304769 images/s (304769-304769)
  1 workers          414 images/s (414-414)
  2 workers          358 images/s (358-358)
  4 workers          421 images/s (421-421)
  8 workers          268 images/s (268-268)
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/3 train_loss=2.3101 val_loss=2.2563 val_accuracy=0.0938 images_per_s=228
  epoch 2/3 train_loss=2.1566 val_loss=2.0513 val_accuracy=0.1875 images_per_s=295
  epoch 3/3 train_loss=1.9724 val_loss=1.9652 val_accuracy=0.1250 images_per_s=371
  result: val_accuracy=0.1250 val_loss=1.9652 train_loss=1.9724 images_per_s=295 epochs=3
  $ ls $SLURM_TMPDIR
