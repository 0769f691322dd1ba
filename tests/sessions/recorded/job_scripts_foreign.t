# recorded 2026-11-30 with slurm-wlm 22.05.8
Lines of an older script for PBS, left in a script for Slurm.

  $ cat > moved.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=train
  > #SBATCH --time=01:00:00
  > #PBS -l walltime=3600
  > #PBS -q long
  > 
  > python train.py
  > END
  $ workshop check moved.sbatch | grep -v "See:"
  moved.sbatch: a script for Slurm. The scheduler takes it, but it does not do what it says.
  
  Asks for 1 task on 1 node, 1 CPU a task, no GPU, for at most 2 d 12 h, in partition long.
  
    job name     train
    partition    long
    nodes        1
    tasks        1
    CPUs a task  1
    CPUs in all  1
    GPUs a node  0
    GPUs in all  0
    time         2 d 12 h
  
  warning line 4 [foreign_directives_are_obeyed]
    sbatch also reads #PBS lines (lines 4, 5) and applies them after the #SBATCH lines, so they win: --time=3600, --partition=long.
    Write: delete them, write ##PBS, or add #SBATCH --ignore-pbs
  warning line 4 [walltime_seconds_became_minutes]
    walltime=3600 is seconds in PBS, but sbatch takes it for minutes: 2 d 12 h.
    Write: #SBATCH --time=01:00:00
  note line 4 [directives_of_two_systems]
    lines 4, 5 for PBS Pro, lines 2, 3 for Slurm. The file was read as a script for Slurm, because of line 2: '#SBATCH --job-name=train'.
    Write: --scheduler pbs reads it as PBS Pro's
  0 errors, 2 warnings, 1 note. Submit with: sbatch moved.sbatch
