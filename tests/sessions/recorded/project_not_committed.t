# recorded 2026-11-29 with torch 2.14.1
A file that nobody committed is not in the snapshot.

  $ echo 'SHIFT = 1  # pixels' > scripts/train/augment.py
  $ sed --in-place 's/^import data$/import augment\nimport data/' scripts/train/one_device.py
  $ git commit --quiet --all --message="Shift the images"
  $ mkdir --parents snapshots/new
  $ git archive HEAD | tar --extract --directory=snapshots/new
  $ python snapshots/new/scripts/train/one_device.py 2>&1 | tail -n 1
  ModuleNotFoundError: No module named 'augment'
  $ git status --short
  ?? scripts/train/augment.py
