# recorded 2026-11-30 with slurm-wlm 22.05.8
Which shell puts in a variable: a real job first, then what the check says of it.

  $ cat > who.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --ntasks=2
  > #SBATCH --output=who.out
  > 
  > srun echo "one: I am rank $SLURM_PROCID"
  > srun bash -c 'echo "two: I am rank $SLURM_PROCID"'
  > END
  $ sbatch --wait who.sbatch
  Submitted batch job 7710
  $ grep rank who.out | sort
  one: I am rank 0
  one: I am rank 0
  two: I am rank 0
  two: I am rank 1
  $ workshop check who.sbatch | sed -n '/^warning/,$p' | grep -v "See:"
  warning line 5 [rank_set_outside_srun]
    $SLURM_PROCID is expanded by the batch shell, where it is 0: every task gets rank 0, and all but one fail with EADDRINUSE or wait forever.
    Write: set it inside the task: srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python train.py', or read SLURM_PROCID in the program
  0 errors, 1 warning, 0 notes. Submit with: sbatch who.sbatch
