One task on each node, in a job that has two tasks on each.

  $ cat > each.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --partition=gpu
  > #SBATCH --nodes=2
  > #SBATCH --ntasks-per-node=2
  > srun --ntasks-per-node=1 bash -c 'echo "unpacks on $SLURMD_NODENAME"'
  > echo "now with --ntasks:"
  > srun --quiet --ntasks="$SLURM_NNODES" --ntasks-per-node=1 bash -c 'echo "unpacks on $SLURMD_NODENAME"'
  > END
  $ sbatch --quiet --wait each.sbatch
  $ cat each.sbatch.out
  srun: Warning: can't honor --ntasks-per-node set to 1 which doesn't match the requested tasks 4 with the number of requested nodes 2. Ignoring --ntasks-per-node.
  unpacks on gpu[12] (re)
  unpacks on gpu[12] (re)
  unpacks on gpu[12] (re)
  unpacks on gpu[12] (re)
  now with --ntasks:
  unpacks on gpu[12] (re)
  unpacks on gpu[12] (re)
