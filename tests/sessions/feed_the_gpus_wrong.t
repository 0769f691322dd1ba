Shards without their index, with an older one, and a GPU's decoder where there is no GPU.

  $ export CUDA_VISIBLE_DEVICES=
  $ mkdir data/copied && cp data/shards/*.tar data/copied
  $ python scripts/train/data.py --dataset shards --data-dir data/copied
  shards: cannot read data/copied: .* (re)
    Make the index: python scripts/train/make_shards.py --index-only data/copied
  [1]
  $ python scripts/train/make_shards.py --index-only data/copied
  data/copied/index.npz: 160 images of 10 labels in 4 archives
  $ truncate --size=-512 data/copied/shard-00001.tar
  $ python scripts/train/data.py --dataset shards --data-dir data/copied
  shards: data/copied/index.npz is not the index of these archives: make it anew
  [1]
  $ python scripts/train/ddp_fast.py --dataset shards --data-dir data/shards --decode gpu
  backend=gloo world_size=1 device=cpu .* (re)
  feed: --decode gpu needs a GPU: leave it out
  [1]
  $ unset CUDA_VISIBLE_DEVICES
