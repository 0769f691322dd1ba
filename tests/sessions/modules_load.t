Needs: lmod, mpi.
PATH before and after.

  $ PATH=/usr/local/bin:/usr/bin:/bin
  $ echo $PATH | tr : '\n'
  /usr/local/bin
  /usr/bin
  /bin
  $ command -v torchrun || echo "no torchrun"
  no torchrun
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module list
  
  Currently Loaded Modules:
    1) gcc/12   2) openmpi/4.1   3) PyTorch/2.14.1
  
   
  
  $ echo $PATH | tr : '\n'
  \S+/\.venv/bin (re)
  /usr/local/bin
  /usr/bin
  /bin
  $ command -v torchrun
  \S+/\.venv/bin/torchrun (re)
  $ python -c "import torch; print(torch.__version__)"
  \S+ (re)
  $ module purge
  $ command -v torchrun || echo "no torchrun"
  no torchrun
