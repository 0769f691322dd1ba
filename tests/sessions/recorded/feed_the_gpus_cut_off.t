# recorded 2026-11-30 with torch 2.14.1
One JPEG of forty was cut off before it was packed: the training ends and names it. No scheduler takes part.

  $ python scripts/train/make_photos.py data/few --images 40
  data/few: 40 images of 48 KB
  $ truncate --size=-4000 data/few/003/0000003.jpg
  $ python scripts/train/make_shards.py data/few data/cut_off
  data/cut_off/index.npz: 40 images of 10 labels in 1 archives
  $ train="python scripts/train/ddp_fast.py --dataset shards --data-dir data/cut_off"
  $ $train 2>&1 | grep --after-context=1 "ValueError: data"
  [rank0]: ValueError: data/cut_off/shard-00000.tar, 003/0000003.jpg: image file is truncated (99 bytes not processed)
  [rank0]:   Mend that file or leave it out, and make the shards anew.
