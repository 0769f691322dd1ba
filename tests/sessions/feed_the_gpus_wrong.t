Shards without their index, with an older one, and a GPU's decoder where there is no GPU.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ python scripts/train/make_photos.py data/photos --images 160 > /dev/null
  $ python scripts/train/make_shards.py data/photos data/shards --images 40 > /dev/null
  $ cp -r data/shards data/cut && rm data/cut/index.npz
  $ export CUDA_VISIBLE_DEVICES=
#show
  $ python scripts/train/data.py --dataset shards --data-dir data/cut
  shards: cannot read data/cut: .* (re)
    Make the index: python scripts/train/make_shards.py --index-only data/cut
  [1]
  $ truncate --size=-512 data/shards/shard-00001.tar
  $ python scripts/train/data.py --dataset shards --data-dir data/shards
  shards: data/shards/index.npz is not the index of these archives: make it anew
  [1]
  $ python scripts/train/make_shards.py --index-only data/cut
  data/cut/index.npz: 160 images of 10 labels in 4 archives
  $ python scripts/train/ddp_fast.py --dataset shards --data-dir data/cut --decode gpu
  backend=gloo world_size=1 device=cpu .* (re)
  feed: --decode gpu needs a GPU: leave it out
  [1]
