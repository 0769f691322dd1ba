# recorded 2026-11-28 with Lmod 8.6.19
Packages without the internet: a folder of wheels.
Needs: lmod, mpi.

  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH ${!PIP_*}
  $ export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore PIP_CONFIG_FILE=/dev/null
  $ mkdir tinystats && printf '[project]\nname = "tinystats"\nversion = "2.0"\n[tool.setuptools]\npy-modules = ["tinystats"]\n' > tinystats/pyproject.toml && echo '__version__ = "2.0"' > tinystats/tinystats.py
#show
  $ module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  $ pip wheel --quiet --no-deps --no-build-isolation --wheel-dir wheels ./tinystats
  $ ls wheels
  tinystats-2.0-py3-none-any.whl
  $ python -m venv --system-site-packages env
  $ source env/bin/activate
  $ pip install --no-index --find-links wheels tinystats
  Looking in links: wheels
  Processing ./wheels/tinystats-2.0-py3-none-any.whl
  Installing collected packages: tinystats
  Successfully installed tinystats-2.0
  $ pip install --no-index --find-links wheels tinyplots
  Looking in links: wheels
  ERROR: Could not find a version that satisfies the requirement tinyplots (from versions: none)
  ERROR: No matching distribution found for tinyplots
  [1]
