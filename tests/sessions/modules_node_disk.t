The environment is made on the node's own disk, from wheels, at the start of the job.
Needs: lmod, mpi.

  $ . "$REPO/tests/sessions/waits.bash"
  $ export HOME=$PWD PATH=/usr/local/bin:/usr/bin:/bin && unset PYTHONPATH ${!PIP_*}
  $ export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore PIP_CONFIG_FILE=/dev/null
  $ "$REPO/.venv/bin/python" -c "
  > import os, zipfile
  > os.mkdir('wheels')
  > info = 'tinystats-2.0.dist-info/'
  > files = {'tinystats.py': '__version__ = \'2.0\'', info + 'METADATA': 'Metadata-Version: 2.1\nName: tinystats\nVersion: 2.0\n', info + 'WHEEL': 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n'}
  > with zipfile.ZipFile('wheels/tinystats-2.0-py3-none-any.whl', 'w') as wheel:
  >     for name in [*files, info + 'RECORD']:
  >         wheel.writestr(name, files.get(name, ''.join(f'{n},,\n' for n in [*files, info + 'RECORD'])))
  > "
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
  $ cat() { case "$*" in *out) wait_ended --jobs=$job; esac; command cat "$@"; }
#show
  $ tail -n 6 job.sbatch
  module purge
  module load gcc/12 openmpi/4.1 PyTorch/2.14.1
  python -m venv --system-site-packages "$TMPDIR/env"
  source "$TMPDIR/env/bin/activate"
  pip install --quiet --no-index --find-links wheels tinystats
  python -c "import tinystats; print(tinystats.__file__)"
  $ job=$(sbatch --parsable job.sbatch)
  $ cat job.sbatch-$job.out
  \S+/disk-of-the-node/env/lib/python3\.\d+/site-packages/tinystats\.py (re)
