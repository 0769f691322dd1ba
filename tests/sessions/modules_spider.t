Where is PyTorch, and what must be loaded before it?
Needs: lmod.

  $ export HOME=$PWD
#show
  $ module spider PyTorch
