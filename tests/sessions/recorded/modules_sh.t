# recorded 2026-11-29 with Lmod 8.6.19 and slurm-wlm 22.05.8
Needs: lmod.
A job script for sh.

  $ cat > job.sbatch << 'END'
  > #!/bin/sh
  > #SBATCH --output=%x-%j.out
  > 
  > module load gcc/12
  > echo "CC=$CC"
  > END
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -oE "(slurm_script|CC).*" job.sbatch-$job.out
  slurm_script: 4: module: not found
  CC=
  $ sed -i 's|^#!/bin/sh|#!/bin/bash|' job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -oE "(slurm_script|CC).*" job.sbatch-$job.out
  CC=/usr/bin/gcc-12
