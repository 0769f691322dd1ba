What a module does, and what it says when it is loaded.
Needs: lmod.

  $ export HOME=$PWD
  $ module load gcc/12 openmpi/4.1
#show
  $ module show PyTorch
  $ module load cuda
