What nodes are there, and which features and GPUs do they have?

  $ sinfo --format="%9P %10N %5c %8m %15f %G"
  PARTITION NODELIST   CPUS  MEMORY   AVAIL_FEATURES  GRES
  cpu*      cpu1       8     16000    skylake         (null)
  cpu*      cpu2       8     16000    icelake         (null)
  gpu       gpu[1-2]   8     32000    icelake,v100    gpu:v100:4
  $ job=$(sbatch --parsable --wait --constraint=icelake --output=%j.out --wrap='echo $SLURMD_NODENAME')
  $ cat $job.out
  cpu2
