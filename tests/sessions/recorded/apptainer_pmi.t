# recorded 2026-11-28 with slurm-wlm 22.05.8 and Apptainer 1.4.5
The same image under plain srun, whose Slurm speaks another PMI than the image's Open MPI.
Needs: apptainer, mpi.

  $ ln -s "$(workshop apptainer image mpi 2> /dev/null)" mpi.sif
  $ srun() { command srun "$@" < /dev/null 2> err; grep -v "^srun: error" err | head -n 5; }
#show
  $ srun --ntasks=1 --mpi=pmi2 apptainer exec mpi.sif mpi-ranks
  [cpu1:15976] OPAL ERROR: Unreachable in file ext3x_client.c at line 112
  --------------------------------------------------------------------------
  The application appears to have been direct launched using "srun",
  but OMPI was not built with SLURM's PMI support and therefore cannot
  execute. There are several options for building PMI support under
