# recorded 2026-11-29 with torch 2.14.1
Shards without their index, with an older one, and a GPU's decoder where there is no GPU.

  $ export CUDA_VISIBLE_DEVICES=
  $ mkdir data/copied && cp data/shards/*.tar data/copied
  $ python scripts/train/data.py --dataset shards --data-dir data/copied
  shards: cannot read data/copied: [Errno 2] No such file or directory: 'data/copied/index.npz'
    Make the index: python scripts/train/make_shards.py --index-only data/copied
  [1]
  $ python scripts/train/make_shards.py --index-only data/copied
  data/copied/index.npz: 160 images of 10 labels in 4 archives
  $ truncate --size=-512 data/copied/shard-00001.tar
  $ python scripts/train/data.py --dataset shards --data-dir data/copied
  shards: data/copied/index.npz is not the index of these archives: make it anew
  [1]
  $ python scripts/train/ddp_fast.py --dataset shards --data-dir data/shards --decode gpu
  backend=gloo world_size=1 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES hides them all)
  feed: --decode gpu needs a GPU: leave it out
  [1]
  $ unset CUDA_VISIBLE_DEVICES
