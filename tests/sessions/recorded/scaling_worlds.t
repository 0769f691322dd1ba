# recorded 2026-11-28 with torch 2.14.1
Accelerate on a machine without a GPU: each rank a world of its own, until told otherwise.

  $ export OMP_NUM_THREADS=1
  $ printf 'from accelerate import Accelerator\n\nprint(f"{Accelerator().num_processes} ranks\\n", end="")\n' > worlds.py
  $ torchrun() { command "$REPO/.venv/bin/torchrun" "$@" 2> /dev/null; }
#show
  $ cat worlds.py
  from accelerate import Accelerator
  
  print(f"{Accelerator().num_processes} ranks\n", end="")
  $ torchrun --standalone --nproc-per-node=2 worlds.py
  1 ranks
  1 ranks
  $ sed --in-place 's/Accelerator()/Accelerator(cpu=True)/' worlds.py
  $ torchrun --standalone --nproc-per-node=2 worlds.py
  2 ranks
  2 ranks
