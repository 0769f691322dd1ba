#!/bin/bash
for seed in 1 2 3; do
sbatch <<JOB
#!/bin/bash
#SBATCH --job-name=run_$seed
#SBATCH --output=$HOME/%x-%j.out
#SBATCH --nodes=2 --time=30
srun python train.py --seed $seed
JOB
done
