# recorded 2026-11-29 with slurm-wlm 22.05.8
Two steps at once need --exact: otherwise the first one holds all cores and all memory of the job.

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
  > SECONDS=0
  > srun --exact --ntasks=1 --cpus-per-task=2 --mem=400M sleep 3 &
  > srun --exact --ntasks=1 --cpus-per-task=2 --mem=400M sleep 3 &
  > wait; echo "side by side: took $SECONDS s"
  > EOF
  $ job=$(sbatch --parsable --wait steps.sbatch)
  $ grep --max-count=1 disabled steps-$job.out
  srun: Job 5469 step creation temporarily disabled, retrying (Requested nodes are busy)
  $ grep took steps-$job.out
  one after the other: took 6 s
  side by side: took 3 s
