# recorded 2026-11-29 without a scheduler
Which folder holds the bytes, and which one the files.

  $ mkdir --parents work/data work/images work/.venv && cd work
  $ head --bytes=3M /dev/zero > data/digits.npy; touch images/{1..1200}.png .venv/{1..400}.py
  $ du --summarize --human-readable data images .venv | expand
  3.1M    data
  36K     images
  12K     .venv
  $ du --summarize --inodes data images .venv | expand
  2       data
  1201    images
  401     .venv
  $ cd ..
