Needs: lmod, mpi.
On top of the module: its packages, and one of one's own. A module's PYTHONPATH comes first, though.

  $ module purge
  $ mkdir -p modulefiles/tinystats site && echo '__version__ = "1.0, the module"' > site/tinystats.py
  $ echo "prepend_path(\"PYTHONPATH\", \"$PWD/site\")" > modulefiles/tinystats/1.0.lua
  $ mkdir mine && echo '__version__ = "2.0, mine"' > mine/tinystats.py
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ python -m venv --without-pip --system-site-packages env
  $ source env/bin/activate
  $ python -c "import torch; print(torch.__version__)"
  \S+ (re)
  $ cp mine/tinystats.py env/lib/python*/site-packages    # as pip install would
  $ module use modulefiles
  $ module load tinystats
  $ python -c "import tinystats; print(tinystats.__version__)"
  1.0, the module
  $ PYTHONPATH= python -c "import tinystats; print(tinystats.__version__)"
  2.0, mine
  $ export PYTHONPATH=$(echo $VIRTUAL_ENV/lib/python*/site-packages):$PYTHONPATH
  $ python -c "import tinystats, torch; print(tinystats.__version__, torch.__version__)"
  2\.0, mine \S+ (re)
  $ deactivate
  $ module purge
  $ unset PYTHONPATH
