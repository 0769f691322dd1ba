#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=1:00:00
#SBATCH -p gpu
export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
export WORLD_SIZE=$SLURM_NTASKS
cat > "wrapper-$SLURM_JOB_ID.sh" <<'EOF'
export RANK=$SLURM_PROCID
export LOCAL_RANK=$SLURM_LOCALID
python train.py
EOF
srun bash "wrapper-$SLURM_JOB_ID.sh"
