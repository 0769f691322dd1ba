# recorded 2026-11-29 with slurm-wlm 22.05.8
--cpus-per-gpu gives cores and leaves SLURM_CPUS_PER_TASK unset.

  $ cat > cores.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --partition=gpu
  > #SBATCH --gpus-per-node=1
  > #SBATCH --cpus-per-gpu=4
  > #SBATCH --mem=500M
  > echo "cores of the job on this node: $SLURM_CPUS_ON_NODE"
  > srun --cpus-per-task="$SLURM_CPUS_PER_TASK" echo "a step"
  > srun --cpus-per-task="${SLURM_CPUS_PER_TASK:-$SLURM_CPUS_PER_GPU}" echo "a step with a value"
  > END
  $ sbatch --quiet --wait cores.sbatch
  $ cat cores.sbatch.out
  cores of the job on this node: 4
  srun: error: Invalid numeric value "" for --cpus-per-task.
  a step with a value
