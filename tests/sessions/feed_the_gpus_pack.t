JPEGs to try with, packed into shards. No scheduler takes part.

  $ python scripts/train/make_photos.py data/photos --images 160
  data/photos: 160 images of 48 KB
  $ python scripts/train/make_shards.py data/photos data/shards --images 40
  data/shards/index.npz: 160 images of 10 labels in 4 archives
  $ ls data/shards
  index.npz
  shard-00000.tar
  shard-00001.tar
  shard-00002.tar
  shard-00003.tar
  $ tar --list --file=data/shards/shard-00000.tar | head --lines=3
  \d\d\d/\d{7}.jpg (re)
  \d\d\d/\d{7}.jpg (re)
  \d\d\d/\d{7}.jpg (re)
