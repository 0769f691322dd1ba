Needs: mpi.
More ranks than slots. Open MPI refuses root without the two variables.

  $ salloc --quiet --ntasks=2 mpirun -np 4 hostname |& sed --quiet 2,8p
  There are not enough slots available in the system to satisfy the 4
  slots that were requested by the application:
  
    hostname
  
  Either request fewer slots for your application, or make more slots
  available for use.
