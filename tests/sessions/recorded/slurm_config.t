# recorded 2026-11-29 with slurm-wlm 22.05.8
What the site decided, as the scheduler itself tells it.

  $ scontrol show config | grep -E "^(DefMemPer\S+|EnforcePartLimits|JobRequeue|KillWait|LaunchParameters|MaxArraySize|SLURM_VERSION|TaskPlugin) "
  DefMemPerCPU            = 1000
  EnforcePartLimits       = NO
  JobRequeue              = 1
  KillWait                = 30 sec
  LaunchParameters        = (null)
  MaxArraySize            = 1001
  SLURM_VERSION           = 22.05.8
  TaskPlugin              = task/none
