The staging job with a variable that names a folder which this cluster does not have.

  $ export SLURM_TMPDIR=/localscratch
  $ job=$(sbatch --parsable scripts/slurm/stage_data.sbatch)
  $ cat stage_data-$job.out
  mktemp: failed to create directory via template .*/stage.XXXXXX.*: No such file or directory (re)
  $ unset SLURM_TMPDIR
