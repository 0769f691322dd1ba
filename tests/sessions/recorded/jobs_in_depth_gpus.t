# recorded 2026-11-29 with slurm-wlm 22.05.8
Two jobs share a node with four GPUs.

  $ cat > two_gpus.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=two_gpus
  > #SBATCH --output=%x-%j.out
  > #SBATCH --partition=gpu
  > #SBATCH --nodelist=gpu1
  > #SBATCH --gpus-per-node=v100:2
  > #SBATCH --time=5
  > echo "CUDA_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES, $SLURM_GPUS_ON_NODE GPUs"
  > sleep "$1"
  > END
  $ first=$(sbatch --parsable two_gpus.sbatch 200)
  $ second=$(sbatch --parsable --wait two_gpus.sbatch 0)
  $ cat two_gpus-$first.out two_gpus-$second.out
  CUDA_VISIBLE_DEVICES=0,1, 2 GPUs
  CUDA_VISIBLE_DEVICES=2,3, 2 GPUs
  $ scancel $first
