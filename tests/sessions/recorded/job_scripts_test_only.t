# recorded 2026-11-30 with slurm-wlm 22.05.8 and torch 2.14.1
What sbatch --test-only finds and what it does not find.

  $ cat > lost.sbatch << 'END'
  > #!/bin/bash
  > set -e
  > #SBATCH --ntasks=4
  > #SBATCH --gpus-per-node=4
  > srun python train.py
  > END
  $ cp scripts/slurm/ddp_single_node.sbatch .
  $ sbatch --test-only ddp_single_node.sbatch
  sbatch: Job 7714 to start at 2026-11-30T00:02:19 using 4 processors on nodes gpu1 in partition gpu
  $ sbatch --test-only --gpus-per-node=8 ddp_single_node.sbatch
  allocation failure: Requested node configuration is not available
  [1]
  $ sbatch --test-only --time=2-00:00:00 ddp_single_node.sbatch
  sbatch: Job 7716 to start at 2026-11-30T00:02:19 using 4 processors on nodes gpu1 in partition gpu
  $ sbatch --test-only lost.sbatch
  sbatch: Job 7717 to start at 2026-11-30T00:02:19 using 1 processors on nodes cpu1 in partition cpu
