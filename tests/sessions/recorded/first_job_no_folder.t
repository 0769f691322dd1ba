# recorded 2026-11-29 with slurm-wlm 22.05.8
A log in a folder that does not exist.

  $ cp scripts/slurm/hello.sbatch hello.sbatch
  $ job=$(sbatch --parsable --wait --output=logs/%x-%j.out hello.sbatch)
  [1]
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=FAILED
  Reason=JobLaunchFailure
  ExitCode=0:53
  $ ls logs
  ls: cannot access 'logs': No such file or directory
  [2]
