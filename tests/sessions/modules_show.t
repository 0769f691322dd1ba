Needs: lmod, mpi.
What a module does, and what it says when it is loaded.

  $ module load gcc/12 openmpi/4.1
  $ module show PyTorch
  -+ (re)
     \S+/scripts/modulefiles/gcc-12-openmpi-4\.1/PyTorch/2\.14\.1\.lua: (re)
  -+ (re)
  whatis("Name: PyTorch")
  whatis("Description: PyTorch and the other packages of the course's environment .venv")
  help([[Python with PyTorch: the environment .venv in the folder of this course. Nothing needs to be activated.]])
  prepend_path\("PATH","\S+/\.venv/bin"\) (re)
  prepend_path\("PYTHONPATH","\S+/\.venv/lib/python3\.\d+/site-packages"\) (re)
  
  $ module load cuda
  cuda/13.0 is a stand-in for teaching: no CUDA toolkit is behind it.
