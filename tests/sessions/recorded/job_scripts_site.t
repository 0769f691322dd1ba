# recorded 2026-11-30 with slurm-wlm 22.05.8
The same script for a version of Slurm, and for a cluster whose facts are known.

  $ cat > four.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --nodes=1
  > #SBATCH --ntasks=4
  > #SBATCH --cpus-per-task=4
  > #SBATCH --gpus-per-node=4
  > #SBATCH --mem=16G
  > #SBATCH --time=2-00:00:00
  > #SBATCH --partition=gpu
  > 
  > srun python train.py
  > END
  $ workshop check four.sbatch | sed -n '/^note/,$p' | grep -v "See:"
  note line 10 [srun_needs_cpus_per_task_22_05_to_23_02]
    In Slurm 22.05 to 23.02 srun does not take --cpus-per-task over from the job: its tasks get one CPU each, while SLURM_CPUS_PER_TASK still says more.
    Write: export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
  0 errors, 0 warnings, 1 note. Submit with: sbatch four.sbatch
  $ workshop check --slurm-version 23.11 four.sbatch | tail -n 1
  0 errors, 0 warnings, 0 notes. Submit with: sbatch four.sbatch
  $ workshop check --site practice four.sbatch | sed -n '/^warning/,$p' | grep -v "See:"
  warning line 4 [cpus_exceed_node]
    16 cores on one node, but practice has at most 8 on a node with v100: the job is refused or never starts.
    Write: at most 8 cores a node
  warning line 7 [time_exceeds_partition_limit]
    2 d is more than gpu allows (1 d): the job is refused, or taken and then waits forever (reason PartitionTimeLimit).
    Write: at most 1 d, or another partition
  note line 10 [srun_needs_cpus_per_task_22_05_to_23_02]
    In Slurm 22.05 to 23.02 srun does not take --cpus-per-task over from the job: its tasks get one CPU each, while SLURM_CPUS_PER_TASK still says more.
    Write: export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
  0 errors, 2 warnings, 1 note. Submit with: sbatch four.sbatch
