What a module does.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module load gcc/12
  $ module show openmpi
  $ module load cuda
