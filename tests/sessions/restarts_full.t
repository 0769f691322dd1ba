A disk that becomes full: a file system of 800 KB in memory, mounted for this one command (namespaces of one's own).

  $ mkdir --parents runs
  $ cat > small_disk.sh <<'EOF'
  > unshare --map-root-user --mount bash -c '
  >     mount -t tmpfs -o size=800k small runs
  >     "$@"; code=$?
  >     ls -1 runs/*/checkpoints; exit $code' small "$@"
  > EOF
  $ bash small_disk.sh python scripts/train/ddp_resume.py --epochs 3
  backend=gloo world_size=1 device=cpu .* (re)
  checkpoint: nothing to go on from in runs/ddp_resume/checkpoints: starting from the beginning
  epoch 1/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  checkpoint: cannot write runs/ddp_resume/checkpoints/step-00000046.pt: No space left on device; older ones are untouched
  epoch 3/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  checkpoint: cannot write runs/ddp_resume/checkpoints/step-00000069.pt: No space left on device; older ones are untouched
  result: val_accuracy=\S+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=3 (re)
  the last checkpoint could not be written: runs/ddp_resume/checkpoints/step-00000069.pt: No space left on device
  step-00000023.pt
  [1]
