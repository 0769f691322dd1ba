A look at a running job of two nodes: one task on each, or on the node that is named.

  $ . "$REPO/tests/sessions/waits.bash"
  $ job=$(sbatch --parsable --nodes=2 --output=/dev/null --wrap="sleep 290")
  $ wait_running 1 --jobs="$job"
  $ srun() { command srun "$@" < /dev/null | sort; }
#show
  $ srun --overlap --jobid=$job hostname
  cpu1
  cpu2
  $ srun --overlap --jobid=$job --nodes=1 --ntasks=1 --nodelist=cpu2 hostname
  cpu2
  $ scancel $job
