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
  sbatch: Job \d+ to start at \S+ using 4 processors on nodes gpu[12] in partition gpu (re)
  $ sbatch --test-only --gpus-per-node=8 ddp_single_node.sbatch
  allocation failure: Requested node configuration is not available
  [1]
  $ sbatch --test-only --time=2-00:00:00 ddp_single_node.sbatch
  sbatch: Job \d+ to start at \S+ using 4 processors on nodes gpu[12] in partition gpu (re)
  $ sbatch --test-only lost.sbatch
  sbatch: Job \d+ to start at \S+ using 1 processors on nodes cpu[12] in partition cpu (re)
