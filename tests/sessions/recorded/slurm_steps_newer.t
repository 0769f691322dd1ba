# recorded 2026-11-29 with slurm-wlm 24.11.5
Needs: Slurm 24.11.
Two steps that need the same cores: the second one waits, and says so only when it has begun.

  $ job=$(sbatch --parsable --wait steps.sbatch)
  $ cat steps-$job.out
  srun: Step created for StepId=4675.1
  one after the other: took 6 s
  side by side: took 3 s
