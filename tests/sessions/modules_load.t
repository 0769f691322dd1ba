PATH before and after.
Needs: lmod.

  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH
#show
  $ echo $PATH | tr : '\n'
  $ command -v torchrun || echo "no torchrun"
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ module list
  $ echo $PATH | tr : '\n'
  $ command -v torchrun
  $ python -c "import torch; print(torch.__version__)"
  $ module purge
  $ command -v torchrun || echo "no torchrun"
