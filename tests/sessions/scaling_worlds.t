Accelerate on a machine without a GPU: each rank a world of its own, until told otherwise.

  $ cat > worlds.py << 'END'
  > from accelerate import Accelerator
  > 
  > print(f"{Accelerator().num_processes} ranks\n", end="")
  > END
  $ torchrun --standalone --nproc-per-node=2 worlds.py 2> /dev/null
  1 ranks
  1 ranks
  $ sed --in-place 's/Accelerator()/Accelerator(cpu=True)/' worlds.py
  $ torchrun --standalone --nproc-per-node=2 worlds.py 2> /dev/null
  2 ranks
  2 ranks
