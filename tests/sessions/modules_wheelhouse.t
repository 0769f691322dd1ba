Needs: lmod, mpi.
Packages without the internet: a folder of wheels.

  $ module purge
  $ mkdir my_packages && cd my_packages
  $ mkdir tinystats
  $ cat > tinystats/pyproject.toml << 'END'
  > [project]
  > name = "tinystats"
  > version = "2.0"
  > [tool.setuptools]
  > py-modules = ["tinystats"]
  > END
  $ echo '__version__ = "2.0"' > tinystats/tinystats.py
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ pip wheel --quiet --no-deps --no-build-isolation --wheel-dir wheels ./tinystats
  $ ls wheels
  tinystats-2.0-py3-none-any.whl
  $ python -m venv --system-site-packages env
  $ source env/bin/activate
  $ pip install --no-index --find-links wheels tinystats
  Looking in links: .*wheels (re)
  Processing ./wheels/tinystats-2.0-py3-none-any.whl
  Installing collected packages: tinystats
  Successfully installed tinystats-2.0
  $ pip install --no-index --find-links wheels tinyplots
  Looking in links: .*wheels (re)
  ERROR: Could not find a version that satisfies the requirement tinyplots (from versions: none)
  ERROR: No matching distribution found for tinyplots
  [1]
  $ deactivate
  $ rm --recursive tinystats
