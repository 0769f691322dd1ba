Where does salloc put the shell? On the practice cluster on the machine where it was called.

  $ salloc --quiet --time=10 --cpus-per-task=2 << 'END'
  > echo "the shell runs on: ${SLURMD_NODENAME-the login node}"
  > srun bash -c 'echo "srun runs on:      $SLURMD_NODENAME"'
  > exit
  > END
  the shell runs on: the login node
  srun runs on:      cpu\d (re)
