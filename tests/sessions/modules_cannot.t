Two messages that look alike and mean different things.
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module load PyTorch/2.14.1
  $ module load pytorch/2.14.1
