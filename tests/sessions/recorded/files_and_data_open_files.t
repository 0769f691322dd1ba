# recorded 2026-11-29 without a scheduler
Too many files open at once: by a program that keeps them open, and by batches of data loading processes that are
kept.

  $ touch image.png
  $ cat > keep_batches.py <<'END'
  > import torch
  > from torch.utils.data import DataLoader, TensorDataset
  > images = TensorDataset(torch.zeros(2000, 8))
  > kept = list(DataLoader(images, batch_size=4, num_workers=2))
  > END
  $ ulimit -S -n 100
  $ python -c 'kept = [open("image.png") for n in range(200)]' 2>&1 | tail -n 1
  OSError: [Errno 24] Too many open files: 'image.png'
  $ python keep_batches.py 2>&1 | grep --max-count=1 "open files"
  RuntimeError: Too many open files. Communication with the workers is no longer possible. Please increase the limit using `ulimit -n` in the shell or change the sharing strategy by calling `torch.multiprocessing.set_sharing_strategy('file_system')` at the beginning of your code
  $ ulimit -S -n hard
  $ cd ..
