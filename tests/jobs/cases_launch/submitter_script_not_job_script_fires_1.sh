#!/bin/bash
mkdir -p logs
for seed in 1 2 3; do
    sbatch --nodes=1 --ntasks=1 --gres=gpu:2 --time=01:00:00 --output=logs/%j.out <<EOF
#!/bin/bash
source .venv/bin/activate
srun torchrun --standalone --nproc_per_node=2 train.py --seed $seed
EOF
done
