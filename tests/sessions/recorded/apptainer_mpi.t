# recorded 2026-11-28 with Apptainer 1.4.5
MPI in the image, started by the host's mpirun. This machine's Apptainer runs under another user id than its mpirun,
which PMIx would refuse: hence the first variable. On a cluster both are you.
Needs: apptainer, mpi.

  $ ln -s "$(workshop apptainer image mpi 2> /dev/null)" mpi.sif
  $ export PMIX_MCA_psec=none OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  $ mpirun() { command mpirun "$@" < /dev/null 2>&1 | grep -vE "more process|Set MCA|^-+$" | sort; }
  $ mpirun -np 1 true
#show
  $ export OMPI_MCA_btl_vader_single_copy_mechanism=none
  $ mpirun -np 2 apptainer exec mpi.sif mpi-ranks
  rank 0 of 2 on login: sum of all ranks 1
  rank 1 of 2 on login: sum of all ranks 1
  $ mpirun -np 2 apptainer exec --cleanenv mpi.sif mpi-ranks
  rank 0 of 1 on login: sum of all ranks 0
  rank 0 of 1 on login: sum of all ranks 0
