Needs: Slurm 24.11.
Two steps that need the same cores: the second one waits, and says so only when it has begun.

  $ job=$(sbatch --parsable --wait steps.sbatch)
  $ cat steps-$job.out
  srun: Step created for StepId=\d+.1 (re)
  one after the other: took \d+ s (re)
  side by side: took \d+ s (re)
