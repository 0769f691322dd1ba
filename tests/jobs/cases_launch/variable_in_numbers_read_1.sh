#!/bin/bash
for T in 4 8 16; do
sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=scaling$T
#SBATCH --ntasks=$T
#SBATCH --time=00:10:00
srun hostname
EOF
done
