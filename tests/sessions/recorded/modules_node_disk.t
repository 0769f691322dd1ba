# recorded 2026-11-29 with Lmod 8.6.19 and slurm-wlm 22.05.8
Needs: lmod, mpi.
The environment is made on the node's own disk, from wheels, at the start of the job.

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
  $ job=$(sbatch --parsable job.sbatch)
  $ cat job.sbatch-$job.out
  ~/hpc-cluster-workshop/my_packages/disk-of-the-node/env/lib/python3.11/site-packages/tinystats.py
  $ unset TMPDIR
