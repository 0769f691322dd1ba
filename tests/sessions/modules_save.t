A collection.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module save training
  $ module purge
  $ module restore training
  $ module --terse list
