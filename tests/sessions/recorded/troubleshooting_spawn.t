# recorded 2026-11-28 with slurm-wlm 22.05.8
A function that was typed, not written to a file, cannot be found by processes that are spawned. Python's -c behaves
as a notebook does.

  $ cat > typed.txt <<'END'
  > import torch.multiprocessing as mp
  > def train(rank): print(rank)
  > 
  > mp.spawn(train, nprocs=2)
  > END
#show
  $ cat typed.txt
  import torch.multiprocessing as mp
  def train(rank): print(rank)
  
  mp.spawn(train, nprocs=2)
  $ python -c "$(cat typed.txt)" 2>&1 |
  >   grep -oE "AttributeError: Can't .* <module '__main__'" | head -n 1
  AttributeError: Can't get attribute 'train' on <module '__main__'
