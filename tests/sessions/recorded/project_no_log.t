# recorded 2026-11-29 with slurm-wlm 22.05.8
A sweep whose logs go to a folder that is not there.

  $ job=$(sbatch --parsable --output=log/%x-%A_%a.out scripts/slurm/project_sweep.sbatch)
  $ squeue --jobs=$job --noheader
  $ ls log
  ls: cannot access 'log': No such file or directory
  [2]
  $ scontrol show job $job | grep -oE "JobState=\S+ Reason=\S+" | sort | uniq --count
        6 JobState=FAILED Reason=JobLaunchFailure
