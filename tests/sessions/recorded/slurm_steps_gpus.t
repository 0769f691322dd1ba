# recorded 2026-11-29 with slurm-wlm 22.05.8
Two steps in a job with two GPUs. --exact does not divide GPUs: each step holds all of them until it names its share.

  $ cat > two_steps.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --partition=gpu
  > #SBATCH --cpus-per-task=4
  > #SBATCH --mem=1G
  > #SBATCH --gpus-per-node=2
  > part="srun --exact --ntasks=1 --cpus-per-task=2 --mem=400M $*"
  > $part bash -c 'echo "GPUs: $CUDA_VISIBLE_DEVICES"; sleep 3' &
  > $part bash -c 'echo "GPUs: $CUDA_VISIBLE_DEVICES"; sleep 3' &
  > wait
  > END
  $ job=$(sbatch --parsable --wait two_steps.sbatch)
  $ grep -E "GPUs|temporarily" two_steps.sbatch-$job.out | sort
  GPUs: 0,1
  GPUs: 0,1
  srun: Job 5470 step creation temporarily disabled, retrying (Requested nodes are busy)
  $ job=$(sbatch --parsable --wait two_steps.sbatch --gpus-per-node=1)
  $ grep -E "GPUs|temporarily" two_steps.sbatch-$job.out | sort
  GPUs: 0
  GPUs: 1
