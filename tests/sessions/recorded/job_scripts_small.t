# recorded 2026-11-30 with slurm-wlm 22.05.8
Four small mistakes in one script, and what the check says about each of them.

  $ cat > small.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=train-%j
  > #SBATCH --output=%x-%j.out
  > #SBATCH --nodes=1
  > #SBATCH --ntasks-per-node=2
  > #SBATCH --gpus-per-node=3
  >  #SBATCH --mem=64G
  > #SBATCH --time=330             # seconds
  > 
  > srun python train.py
  > END
  $ workshop check small.sbatch | sed -n '/^warning/,$p'
  warning line 2 [percent_j_not_expanded_in_job_name]
    'train-%j': patterns such as %j work in file names only; the name keeps the percent sign.
    Write: a plain --job-name; put %x-%j into --output
    See: https://slurm.schedmd.com/sbatch.html
  warning line 7 [indented_directive]
    This line does not begin in column 1, so for sbatch it is a comment and has no effect.
    Write: #SBATCH --mem=64G
    See: https://slurm.schedmd.com/sbatch.html
  note line 8 [time_is_minutes]
    '330' is minutes: 5 h 30 min.
    Write: --time=330:00:00 for 330 hours; --time=05:30:00 is what it says now
    See: https://slurm.schedmd.com/sbatch.html
  warning line 10 [gpus_more_than_tasks]
    3 GPUs, but 2 tasks: with one GPU a process, the others stay idle.
    Write: --ntasks-per-node=3, or 2 GPUs in all
    See: https://slurm.schedmd.com/sbatch.html
  0 errors, 3 warnings, 1 note. Submit with: sbatch small.sbatch
