# recorded 2026-11-29 with slurm-wlm 22.05.8
What Slurm understands of a header that stands partly below a command. The job is held, so that it can be looked at.

  $ head -n 7 scripts/exercises/first_job/mend_header/starter.sbatch
  #!/bin/bash
  #SBATCH --job-name=mended
  # SBATCH --time=00:05:00
  ##SBATCH --cpus-per-task=2
  set -euo pipefail
  #SBATCH --mem=1G
  #SBATCH --output=%x-%j.out
  $ job=$(sbatch --parsable --hold scripts/exercises/first_job/mend_header/starter.sbatch)
  $ scontrol show job $job | grep -oE "(JobName|TimeLimit|NumCPUs|StdOut)=\S+"
  JobName=mended
  TimeLimit=00:10:00
  NumCPUs=1
  StdOut=~/hpc-cluster-workshop/slurm-6234.out
  $ scancel $job
