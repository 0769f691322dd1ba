# recorded 2026-11-27 without a scheduler
A disk that becomes full: a file system of 800 KB in memory, mounted for this one command (namespaces of one's own).

  $ mkdir --parents runs
  $ cat > small_disk.sh <<'EOF'
  > unshare --map-root-user --mount bash -c '
  >     mount -t tmpfs -o size=800k small runs
  >     "$@"; code=$?
  >     ls -1 runs/*/checkpoints; exit $code' small "$@"
  > EOF
  $ bash small_disk.sh python scripts/train/ddp_resume.py --epochs 3
  backend=gloo world_size=1 device=cpu (no GPU is visible)
  checkpoint: nothing to go on from in runs/ddp_resume/checkpoints: starting from the beginning
  epoch 1/3 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=1337
  epoch 2/3 train_loss=0.6185 val_loss=0.5067 val_accuracy=0.8365 images_per_s=1434
  checkpoint: cannot write runs/ddp_resume/checkpoints/step-00000046.pt: No space left on device; older ones are untouched
  epoch 3/3 train_loss=0.2583 val_loss=0.1435 val_accuracy=0.9464 images_per_s=1596
  checkpoint: cannot write runs/ddp_resume/checkpoints/step-00000069.pt: No space left on device; older ones are untouched
  result: val_accuracy=0.9464 val_loss=0.1435 train_loss=0.2583 images_per_s=1434 epochs=3
  the last checkpoint could not be written: runs/ddp_resume/checkpoints/step-00000069.pt: No space left on device
  step-00000023.pt
  [1]
