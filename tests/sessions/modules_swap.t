Needs: lmod, mpi.
Another compiler: what was built with the first one follows, or becomes inactive.

  $ module purge
  $ module load gcc openmpi PyTorch
  $ module swap gcc gcc/13
  gcc/13 is a stand-in for teaching: no compiler is behind it.
  
  Inactive Modules:
    1) PyTorch
  
  The following have been reloaded with a version change:
    1) gcc/12 => gcc/13     2) openmpi/4.1 => openmpi/5.0
  
  $ module swap gcc gcc/12
  
  Activating Modules:
    1) PyTorch/2.14.1
  
  The following have been reloaded with a version change:
    1) gcc/13 => gcc/12     2) openmpi/5.0 => openmpi/4.1
  
