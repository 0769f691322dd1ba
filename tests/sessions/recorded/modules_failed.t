# recorded 2026-11-29 with Lmod 8.6.19 and slurm-wlm 22.05.8
Needs: lmod.
A module that cannot be loaded does not stop a job.

  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > 
  > module load gcc/12 opnmpi/4.1
  > module --terse list
  > echo "training for three days"
  > END
  $ job=$(sbatch --parsable --wait job.sbatch)
  $ grep -v "^$" job.sbatch-$job.out
  Lmod has detected the following error: The following module(s) are unknown:
  "opnmpi/4.1"
  Please check the spelling or version number. Also try "module spider ..."
  It is also possible your cache file is out-of-date; it may help to try:
    $ module --ignore_cache load "opnmpi/4.1"
  Also make sure that all modulefiles written in TCL start with the string
  #%Module
  No modules loaded
  training for three days
  $ sed -i 's/^$/set -euo pipefail/' job.sbatch
  $ job=$(sbatch --parsable --wait job.sbatch)
  [1]
  $ head -n 2 job.sbatch-$job.out; tail -n 1 job.sbatch-$job.out
  Lmod has detected the following error: The following module(s) are unknown:
  "opnmpi/4.1"
  
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
  JobState=FAILED
  ExitCode=1:0
