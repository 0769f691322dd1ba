#!/bin/tcsh
#SBATCH --time=1:00:00
#SBATCH -n 8
setenv OMP_NUM_THREADS 1
set path = ($HOME/bin $path)
foreach i (1 2 3)
  srun ./model.exe $i
end
