#!/bin/bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for seed in 1 2 3; do
    sbatch --job-name="seed$seed" --ntasks=1 --gpus-per-node=1 --time=01:00:00 <<EOF
#!/bin/bash
cd "$here"
source .venv/bin/activate
srun python train.py --seed $seed
EOF
done
