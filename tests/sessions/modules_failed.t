A module that cannot be loaded does not stop a job.
Needs: lmod.

  $ export HOME=$PWD
  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > 
  > module load gcc/12 opnmpi/4.1
  > module --terse list
  > echo "training for three days"
  > END
#show
  $ tail -n 3 job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -v "^$" job.sbatch-$job.out
  $ sed -i 's/^$/set -euo pipefail/' job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ head -n 2 job.sbatch-$job.out; tail -n 1 job.sbatch-$job.out
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
