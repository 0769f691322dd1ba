#!/bin/bash
#SBATCH --time=1:00:00
for s in 1 2 3; do
cat > job_$s.sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=s$s
#SBATCH --output=$PWD/s$s.out
srun python train.py --seed $s
EOF
sbatch job_$s.sbatch
done
