# recorded 2026-11-27 with slurm-wlm 22.05.8
A job meets its walltime of one minute. The shell is warned before, and told to end at the limit; it must not wait for
its program in the foreground, or it hears nothing until that has ended. Slurm looks at its clock every half minute.

  $ cat > limit.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=limit
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=00:01:00
  > #SBATCH --signal=B:USR1@30
  > trap 'echo "shell: warned by USR1, I save"' USR1
  > trap 'echo "shell: TERM, I stop"; exit 1' TERM
  > sleep 600 &
  > wait; wait
  > END
#show
  $ cat limit.sbatch
  #!/bin/bash
  #SBATCH --job-name=limit
  #SBATCH --output=%x-%j.out
  #SBATCH --time=00:01:00
  #SBATCH --signal=B:USR1@30
  trap 'echo "shell: warned by USR1, I save"' USR1
  trap 'echo "shell: TERM, I stop"; exit 1' TERM
  sleep 600 &
  wait; wait
  $ job=$(sbatch --parsable --wait limit.sbatch)
  [1]
  $ cat limit-$job.out
  shell: warned by USR1, I save
  slurmstepd-cpu1: error: *** JOB 96 ON cpu1 CANCELLED AT 2026-11-27T23:48:36 DUE TO TIME LIMIT ***
  shell: TERM, I stop
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode|RunTime|TimeLimit)=\S+"
  JobState=TIMEOUT
  Reason=TimeLimit
  ExitCode=1:0
  RunTime=00:01:14
  TimeLimit=00:01:00
