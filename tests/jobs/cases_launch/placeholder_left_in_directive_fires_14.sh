#!/bin/bash
OUT=/scratch/$USER/runs
mkdir -p "$OUT"
sbatch <<EOF
#!/bin/bash
#SBATCH --partition=your_partition
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --output=$OUT/%j.log
srun python train.py --out $OUT
EOF
