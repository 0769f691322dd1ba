#!/bin/bash
#----------------------------------------------------
# Sample job script for the KNL queue
#----------------------------------------------------
#SBATCH -J myMPI           # Job name
#SBATCH -o myMPI.o%j       # Name of stdout output file
#SBATCH -e myMPI.e%j
#SBATCH -p development     # Queue (partition) name
#SBATCH -N 2               # Total # of nodes
#SBATCH -n 32              # Total # of mpi tasks
#SBATCH -t 01:30:00        # Run time (hh:mm:ss)
#SBATCH --mail-user=user@example.org
#SBATCH --mail-type=all    # Send email at begin and end of job
#SBATCH -A A-proj

# Other commands must follow all #SBATCH directives...
module list
pwd
date
ibrun ./mycode.exe         # Use ibrun instead of mpirun or mpiexec
