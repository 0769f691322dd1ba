# recorded 2026-11-29 with Lmod 8.6.19 and slurm-wlm 22.05.8
Needs: lmod.
The function arrives in the job, the program that it calls does not: as on a node without Lmod.

  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > 
  > set -euo pipefail
  > module load gcc/12
  > echo "CC=${CC:-}"
  > END
  $ unset BASH_ENV && export LMOD_CMD=/opt/apps/lmod/libexec/lmod
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ cat job.sbatch-$job.out
  environment: line 19: /opt/apps/lmod/libexec/lmod: No such file or directory
  CC=
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
  JobState=COMPLETED
  ExitCode=0:0
