#!/bin/bash
NAME="two words"
TODAY=$(date +%F)
sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=$NAME
#SBATCH --output=fit-$TODAY.out
#SBATCH --time=00:30:00
srun ./fit
EOF
