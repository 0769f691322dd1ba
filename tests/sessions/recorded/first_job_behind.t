# recorded 2026-11-29 with slurm-wlm 22.05.8
Options behind the script's name are its arguments: sbatch does not read them. The job is held, so that it can be
looked at.

  $ job=$(sbatch --parsable --hold scripts/slurm/hello.sbatch --time=10)
  $ scontrol show job $job | grep -oE "TimeLimit=\S+"
  TimeLimit=00:05:00
  $ scancel $job
  $ job=$(sbatch --parsable --hold --time=10 scripts/slurm/hello.sbatch)
  $ scontrol show job $job | grep -oE "TimeLimit=\S+"
  TimeLimit=00:10:00
  $ scancel $job
