# recorded 2026-11-28 with Lmod 8.6.19
Packages in ~/.local reach every environment that looks there.
Needs: lmod, mpi.

  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ python -m venv --without-pip --system-site-packages env
  $ folder=.local/lib/$(ls env/lib)/site-packages && mkdir -p $folder && echo '__version__ = "0.1, of last year"' > $folder/tinystats.py
#show
  $ source env/bin/activate
  $ python -c "import tinystats; print(tinystats.__version__, tinystats.__file__)"
  0.1, of last year ~/.local/lib/python3.11/site-packages/tinystats.py
  $ export PYTHONNOUSERSITE=1
  $ python -c "import tinystats"
  Traceback (most recent call last):
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'tinystats'
  [1]
