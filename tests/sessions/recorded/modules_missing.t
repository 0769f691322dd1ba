# recorded 2026-11-28 with Lmod 8.6.19, slurm-wlm 22.05.8
The function arrives in the job, the program that it calls does not: as on a node without Lmod. Here the function is
pointed to a folder that this machine does not have.
Needs: lmod.

  $ export HOME=$PWD
  $ printf '#!/bin/bash\n#SBATCH --output=%%x-%%j.out\n\nset -euo pipefail\nmodule load gcc/12\necho "CC=${CC:-}"\n' > job.sbatch
  $ unset BASH_ENV && export LMOD_CMD=/opt/apps/lmod/libexec/lmod
#show
  $ tail -n 3 job.sbatch
  set -euo pipefail
  module load gcc/12
  echo "CC=${CC:-}"
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ cat job.sbatch-$job.out
  environment: line 19: /opt/apps/lmod/libexec/lmod: No such file or directory
  CC=
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
  JobState=COMPLETED
  ExitCode=0:0
