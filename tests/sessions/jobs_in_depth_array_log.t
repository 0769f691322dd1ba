All tasks of an array write one log: whoever opens it last empties it. The tasks start one after the other, so that
the result is always the same.

  $ cat > collide.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=tune.out
  > #SBATCH --array=1-3%1
  > #SBATCH --time=5
  > echo "result of task $SLURM_ARRAY_TASK_ID"
  > END
  $ sbatch --quiet --wait collide.sbatch
  $ cat tune.out
  result of task 3
