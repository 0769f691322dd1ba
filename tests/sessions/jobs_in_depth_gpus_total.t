--gpus counts for the job, --gpus-per-task for each task.

  $ for node in gpu1 gpu2; do
  >   sbatch --quiet --job-name=other --partition=gpu --nodelist=$node --gpus-per-node=2 \
  >     --mem=100M --output=/dev/null --wrap="sleep 290"
  > done
  $ cat > which.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --partition=gpu
  > #SBATCH --mem=100M
  > echo "nodes: $SLURM_JOB_NODELIST, GPUs on the first: $SLURM_GPUS_ON_NODE"
  > srun --label bash -c 'echo "CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES"' | sort
  > END
  $ sbatch --quiet --wait --gpus=4 which.sbatch
  $ cat which.sbatch.out
  nodes: gpu[1-2], GPUs on the first: 2
  0: CUDA_VISIBLE_DEVICES=2,3
  1: CUDA_VISIBLE_DEVICES=2,3
  $ sbatch --quiet --wait --nodes=1 --ntasks=2 --gpus-per-task=1 which.sbatch
  $ cat which.sbatch.out
  nodes: gpu[12], GPUs on the first: 2 (re)
  0: CUDA_VISIBLE_DEVICES=2
  1: CUDA_VISIBLE_DEVICES=3
  $ scancel --me
