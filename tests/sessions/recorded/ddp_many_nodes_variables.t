# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: mpi.
What srun and mpirun tell each process. Open MPI refuses root without the two variables.

  $ cat > who.sh <<'EOF'
  > slurm="PROCID=$SLURM_PROCID LOCALID=$SLURM_LOCALID TASKS=$SLURM_STEP_NUM_TASKS"
  > place="RANK=$OMPI_COMM_WORLD_RANK LOCAL_RANK=$OMPI_COMM_WORLD_LOCAL_RANK"
  > echo "$(hostname): $slurm | OMPI $place SIZE=$OMPI_COMM_WORLD_SIZE"
  > EOF
  $ srun --quiet --nodes=2 --ntasks-per-node=2 bash who.sh | sort
  cpu1: PROCID=0 LOCALID=0 TASKS=4 | OMPI RANK= LOCAL_RANK= SIZE=
  cpu1: PROCID=1 LOCALID=1 TASKS=4 | OMPI RANK= LOCAL_RANK= SIZE=
  cpu2: PROCID=2 LOCALID=0 TASKS=4 | OMPI RANK= LOCAL_RANK= SIZE=
  cpu2: PROCID=3 LOCALID=1 TASKS=4 | OMPI RANK= LOCAL_RANK= SIZE=
  $ salloc --quiet --nodes=2 --ntasks-per-node=2 mpirun bash who.sh | sort
  cpu1: PROCID=0 LOCALID=0 TASKS=2 | OMPI RANK=0 LOCAL_RANK=0 SIZE=4
  cpu1: PROCID=0 LOCALID=0 TASKS=2 | OMPI RANK=1 LOCAL_RANK=1 SIZE=4
  cpu2: PROCID=1 LOCALID=0 TASKS=2 | OMPI RANK=2 LOCAL_RANK=0 SIZE=4
  cpu2: PROCID=1 LOCALID=0 TASKS=2 | OMPI RANK=3 LOCAL_RANK=1 SIZE=4
