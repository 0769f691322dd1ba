# recorded 2026-11-30 with slurm-wlm 22.05.8
What a real Slurm understands of six lines. The job is held, so that it can be looked at, then cancelled.

  $ cat > rules.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --time=1:30   # an hour and a half
  >  #SBATCH --mem=4G
  > #SBATCH --nodes=1 \
  >         --ntasks=4
  > 
  > hostname
  > #PBS -N obeyed
  > END
  $ job=$(sbatch --parsable --hold rules.sbatch)
  $ scontrol show job $job | grep -oE "(JobName|TimeLimit|NumNodes|NumTasks|MinMemory\w+)=\S+"
  JobName=obeyed
  TimeLimit=00:02:00
  NumNodes=1-1
  NumTasks=1
  MinMemoryCPU=1000M
  $ scancel $job
