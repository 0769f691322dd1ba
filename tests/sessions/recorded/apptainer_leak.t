# recorded 2026-11-29 with Apptainer 1.4.5
Needs: apptainer.
A package in ~/.local gets into an image until it is told not to look there; PYTHONPATH needs more than that.

  $ ln -sf "$(workshop apptainer image mpi 2> /dev/null)" mpi.sif
  $ ln -sf "$(workshop apptainer image pytorch-cpu 2> /dev/null)" pytorch-cpu.sif
  $ mkdir -p my_home/.local/lib/python3.11/site-packages
  $ echo 'print("numpy of ~/.local")' > my_home/.local/lib/python3.11/site-packages/numpy.py
  $ ls my_home/.local/lib/python3.11/site-packages
  numpy.py
  $ apptainer exec --home "$PWD/my_home" mpi.sif python3 -c "import numpy"
  numpy of ~/.local
  $ apptainer exec --home "$PWD/my_home" --env PYTHONNOUSERSITE=1 \
  >   mpi.sif python3 -c "import numpy"
  Traceback (most recent call last):
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'numpy'
  [1]
  $ export PYTHONPATH=$PWD/my_home/.local/lib/python3.11/site-packages
  $ apptainer exec --env PYTHONNOUSERSITE=1 mpi.sif python3 -c "import numpy"
  numpy of ~/.local
  $ apptainer exec pytorch-cpu.sif python3 -c "import numpy; print(numpy.__version__)"
  2.4.6
  $ unset PYTHONPATH
