# recorded 2026-11-28 without a scheduler
Which folder holds the bytes, and which one the files.

  $ mkdir --parents project/data project/images project/.venv && cd project
  $ head --bytes=3M /dev/zero > data/digits.npy; touch images/{1..1200}.png .venv/{1..400}.py
#show
  $ du --summarize --human-readable data images .venv | expand
  3.1M    data
  36K     images
  12K     .venv
  $ du --summarize --inodes data images .venv | expand
  2       data
  1201    images
  401     .venv
