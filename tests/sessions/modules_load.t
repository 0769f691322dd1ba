PATH before and after.
Needs: lmod.

  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH
#show
  $ type torchrun
  $ echo $PATH | tr : '\n'
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module list
  $ type torchrun
  $ echo $PATH | tr : '\n'
  $ python -c "import torch; print(torch.__version__)"
  $ module purge
  $ type torchrun
