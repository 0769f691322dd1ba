# recorded 2026-11-30 with slurm-wlm 22.05.8
A script of the course in LSF's words.

  $ workshop translate scripts/slurm/gpu_query.sbatch --to lsf > mine.lsf
  $ head -n 8 mine.lsf
  #!/bin/bash
  #BSUB -J gpu_query
  #BSUB -q gpu
  #BSUB -n 1
  #BSUB -gpu "num=1"
  #BSUB -R "rusage[mem=4GB/host]"
  #BSUB -W 0:05
  #BSUB -o gpu_query-%J.out
