#!/bin/bash
TODAY=$(date +%F)
TOP="$(cd "$(dirname "$0")/.." && pwd)"
LEAST=2
sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=fit-$TODAY
#SBATCH --nodes=$LEAST
#SBATCH --time=${1:-00:30:00}
#SBATCH --output=$TOP/fit-${TODAY}_%j.out
#SBATCH --comment=$(git log -1 --format="%h %s")
srun ./fit
EOF
