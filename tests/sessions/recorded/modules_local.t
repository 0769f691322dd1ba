# recorded 2026-11-29 with Lmod 8.6.19
Needs: lmod, mpi.
Packages in ~/.local reach every environment that looks there.

  $ module purge
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ python -m venv --without-pip --system-site-packages clean
  $ folder=~/.local/lib/$(ls clean/lib)/site-packages
  $ mkdir --parents $folder
  $ echo '__version__ = "0.1, of last year"' > $folder/tinystats.py
  $ source clean/bin/activate
  $ python -c "import tinystats; print(tinystats.__version__, tinystats.__file__)"
  0.1, of last year ~/.local/lib/python3.11/site-packages/tinystats.py
  $ export PYTHONNOUSERSITE=1
  $ python -c "import tinystats"
  Traceback (most recent call last):
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'tinystats'
  [1]
  $ deactivate
  $ module purge
  $ unset PYTHONNOUSERSITE
  $ rm $folder/tinystats.py
