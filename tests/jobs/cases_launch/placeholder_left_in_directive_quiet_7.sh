#!/bin/bash
for seed in 1 2 3; do
sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=seed-${seed}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
#SBATCH --output=seed-${seed}-%j.out
srun python train.py --seed ${seed}
EOF
done
