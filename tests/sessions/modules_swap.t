Another compiler: what was built with the first one follows, or becomes inactive.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module load gcc openmpi PyTorch
  $ module swap gcc gcc/13
  $ module swap gcc gcc/12
