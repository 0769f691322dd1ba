Needs: Slurm 24.11.
Two steps that need the same cores: the second one waits, and says so only when it has begun.

  $ cat > steps.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --output=steps-%j.out
  > #SBATCH --ntasks=2
  > #SBATCH --cpus-per-task=2
  > #SBATCH --mem=1G
  > SECONDS=0
  > srun --ntasks=1 sleep 3 &
  > srun --ntasks=1 sleep 3 &
  > wait; echo "one after the other: took $SECONDS s"
  > EOF
#show
  $ tail -n 4 steps.sbatch
  SECONDS=0
  srun --ntasks=1 sleep 3 &
  srun --ntasks=1 sleep 3 &
  wait; echo "one after the other: took $SECONDS s"
  $ job=$(sbatch --parsable --wait steps.sbatch)
  $ cat steps-$job.out
  srun: Step created for StepId=\d+.1 (re)
  one after the other: took \d+ s (re)
