# recorded 2026-11-29 with slurm-wlm 22.05.8 and Apptainer 1.4.5
Needs: apptainer, mpi.
The same image under plain srun, whose Slurm speaks another PMI than the image's Open MPI.

  $ ln -sf "$(workshop apptainer image mpi 2> /dev/null)" mpi.sif
  $ srun --ntasks=1 --mpi=pmi2 apptainer exec mpi.sif mpi-ranks 2>&1 |
  >   grep -v "^srun: error" | head -n 5
  [cpu1:09762] OPAL ERROR: Unreachable in file ext3x_client.c at line 112
  --------------------------------------------------------------------------
  The application appears to have been direct launched using "srun",
  but OMPI was not built with SLURM's PMI support and therefore cannot
  execute. There are several options for building PMI support under
