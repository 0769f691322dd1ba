# recorded 2026-11-29 with slurm-wlm 22.05.8
The staging job with a variable that names a folder which this cluster does not have.

  $ export SLURM_TMPDIR=/localscratch
  $ job=$(sbatch --parsable scripts/slurm/stage_data.sbatch)
  $ cat stage_data-$job.out
  mktemp: failed to create directory via template ‘/localscratch/stage.XXXXXX’: No such file or directory
  $ unset SLURM_TMPDIR
