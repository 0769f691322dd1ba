The environment is made on the node's own disk, from wheels, at the start of the job.
Needs: lmod.

  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH ${!PIP_*}
  $ export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore PIP_CONFIG_FILE=/dev/null
  $ mkdir tinystats && printf '[project]\nname = "tinystats"\nversion = "2.0"\n[tool.setuptools]\npy-modules = ["tinystats"]\n' > tinystats/pyproject.toml && echo '__version__ = "2.0"' > tinystats/tinystats.py
  $ (module load gcc/12 openmpi/4.1 PyTorch/2.14.1; pip wheel --quiet --no-deps --no-build-isolation --wheel-dir wheels ./tinystats)
  $ mkdir disk-of-the-node && export TMPDIR=$PWD/disk-of-the-node
  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > 
  > set -euo pipefail
  > module purge
  > module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  > python -m venv --system-site-packages "$TMPDIR/env"
  > source "$TMPDIR/env/bin/activate"
  > pip install --quiet --no-index --find-links wheels tinystats
  > python -c "import tinystats; print(tinystats.__file__)"
  > END
#show
  $ cat job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ cat job.sbatch-$job.out
