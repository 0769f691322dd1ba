#!/bin/bash
for rate in 0.1 0.01; do
    cat > "job_$rate.sbatch" <<EOF
#!/bin/bash
#SBATCH --job-name=lr_$rate
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
source .venv/bin/activate
srun python train.py --lr $rate
EOF
    sbatch "job_$rate.sbatch"
done
