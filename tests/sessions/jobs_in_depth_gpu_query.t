The script that asks for one GPU, and the first line of its log.

  $ job=$(sbatch --parsable --wait scripts/slurm/gpu_query.sbatch)
  $ head -n 1 gpu_query-$job.out
  GPUs of this job: 0
