The staging job with a variable that names a folder which this cluster does not have.

  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .
  $ ended() { for try in $(seq 900); do command squeue --noheader --jobs=$job 2> /dev/null | grep -q . && sleep 0.2 || break; done; }
  $ cat() { ended; command cat "$@"; }
#show
  $ export SLURM_TMPDIR=/localscratch
  $ job=$(sbatch --parsable scripts/slurm/stage_data.sbatch)
  $ cat stage_data-$job.out
  mktemp: failed to create directory via template .*/stage.XXXXXX.*: No such file or directory (re)
