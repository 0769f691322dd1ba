# recorded 2026-11-29 without a scheduler
The cell is run by a real kernel, without a browser.

  $ cat > cell.py << 'END'
  > import torch.multiprocessing as mp
  > def train(rank):
  >     print("rank", rank)
  > mp.spawn(train, nprocs=2)
  > END
  $ jupytext --quiet --to ipynb cell.py
  $ jupyter execute cell.ipynb 2>&1 | \
  >   grep -o "Can't get attribute .*" | sort --unique
  Can't get attribute 'train' on <module '__main__' (built-in)>
