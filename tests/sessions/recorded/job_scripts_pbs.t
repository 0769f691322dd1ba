# recorded 2026-11-30 with slurm-wlm 22.05.8
A PBS script that was written by somebody who knew Slurm.

  $ cat > train.pbs << 'END'
  > #!/bin/bash
  > #PBS -N train
  > #PBS -l select=2:ncpus=8:mpiprocs=2:ngpus=2
  > #PBS -l walltime=1-00:00:00
  > 
  > master=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  > mpiexec python train.py --master "$master"
  > END
  $ workshop check train.pbs > my_report.txt
  [1]
  $ sed -n '/^warning/,$p' my_report.txt | grep -v "See:"
  warning line 3 [chunks_may_share_a_host]
    2 chunks are not 2 hosts: without place=scatter PBS may put several of them on one host.
    Write: -l place=scatter
  error line 4 [bad_time]
    PBS refuses walltime=1-00:00:00: Illegal attribute or resource value.
    Write: #PBS -l walltime=24:00:00
  warning line 6 [foreign_scheduler_commands]
    scontrol: commands of another scheduler, which this one does not have.
    Write: scontrol: $PBS_NODEFILE
  warning line 6 [foreign_scheduler_variables]
    SLURM_JOB_NODELIST: variable of another scheduler, empty in this job.
    Write: SLURM_JOB_NODELIST -> $PBS_NODEFILE
  warning line 7 [missing_cd_workdir]
    PBS starts the job in $HOME, not where it was submitted: 'train.py' is looked for there. The first command has to go back.
    Write: cd "$PBS_O_WORKDIR"
  1 error, 4 warnings, 0 notes. Submit with: qsub train.pbs
