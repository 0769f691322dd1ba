# recorded 2026-11-29 with slurm-wlm 24.11.5
Needs: Slurm 24.11.
A log in a folder that does not exist: Slurm makes it.

  $ job=$(sbatch --parsable --wait --output=logs/%x-%j.out hello.sbatch)
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=COMPLETED
  Reason=None
  ExitCode=0:0
  $ ls logs
  hello-2902.out
