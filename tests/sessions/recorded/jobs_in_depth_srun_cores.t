# recorded 2026-11-29 with slurm-wlm 22.05.8
srun asks for more cores than the job has.

  $ cat > steps.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --ntasks=2
  > #SBATCH --time=5
  > srun --cpus-per-task=4 hostname
  > END
  $ job=$(sbatch --parsable --wait steps.sbatch)
  [1]
  $ cat steps.sbatch-$job.out
  srun: error: Unable to create step for job 6914: More processors requested than permitted
