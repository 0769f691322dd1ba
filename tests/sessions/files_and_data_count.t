Which folder holds the bytes, and which one the files.

  $ mkdir --parents work/data work/images work/.venv && cd work
  $ head --bytes=3M /dev/zero > data/digits.npy; touch images/{1..1200}.png .venv/{1..400}.py
  $ du --summarize --human-readable data images .venv | expand
  3\.\dM +data (re)
  \S+ +images (re)
  \S+ +.venv (re)
  $ du --summarize --inodes data images .venv | expand
  2       data
  1201    images
  401     .venv
  $ cd ..
