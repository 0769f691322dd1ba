--gpus counts for the job, --gpus-per-task for each task. Two GPUs are free on each of the two nodes; two jobs, which
end with this session, hold the others. The functions wait until these two run, and until the GPUs are free again.

  $ . "$REPO/tests/sessions/waits.bash"
  $ for node in gpu1 gpu2; do
  >     sbatch --quiet --partition=gpu --nodelist=$node --gpus-per-node=2 --mem=100M --output=/dev/null --job-name=other \
  >         --wrap="sleep 290"
  > done
  $ wait_running 2 --name=other
  $ cat > which.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --partition=gpu
  > #SBATCH --mem=100M
  > echo "nodes: $SLURM_JOB_NODELIST, GPUs on the first: $SLURM_GPUS_ON_NODE"
  > srun --label bash -c 'echo "CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES"' | sort
  > END
#show
  $ tail -n 2 which.sbatch
  echo "nodes: $SLURM_JOB_NODELIST, GPUs on the first: $SLURM_GPUS_ON_NODE"
  srun --label bash -c 'echo "CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES"' | sort
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
