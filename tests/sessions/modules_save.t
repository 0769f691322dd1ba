Needs: lmod, mpi.
A collection.

  $ module purge
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module save training
  Saved current collection of modules to: "training"
  
  $ module purge
  $ module restore training
  Restoring modules from user's training
  $ module --terse list
  gcc/12
  openmpi/4.1
  PyTorch/2.14.1
