#!/bin/bash
#SBATCH --time=1:00:00
for n in 1 2 4; do
  echo "#!/bin/bash
#SBATCH --nodes=$n
#SBATCH --time=0:10:00
srun ./bench" > "bench-$n.sbatch"
  sbatch "bench-$n.sbatch"
done
