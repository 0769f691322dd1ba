Another compiler: what was built with the first one follows, or becomes inactive.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module swap gcc gcc/13
  $ module swap gcc gcc/12
