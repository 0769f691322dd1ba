# recorded 2026-11-29 with slurm-wlm 22.05.8
A session of OnDemand is a job. Here a job with --mem stands for it: a cell or a terminal inside has the same
variables. It submits one job script three times.

  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=00:05:00
  > #SBATCH --mem-per-cpu=200M
  > srun hostname
  > END
  $ cat > session.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --time=00:10:00
  > #SBATCH --mem=500M
  > env | grep SLURM_MEM
  > sbatch --wait train.sbatch
  > sbatch --wait --export=NONE train.sbatch
  > env --unset=SLURM_MEM_PER_NODE sbatch --wait train.sbatch
  > END
  $ sbatch --wait session.sbatch
  Submitted batch job 1190
  $ cat session.sbatch.out
  SLURM_MEM_PER_NODE=500
  Submitted batch job 1191
  Submitted batch job 1192
  Submitted batch job 1193
  $ tail -n 1 train.sbatch-*.out
  ==> train.sbatch-1191.out <==
  srun: fatal: SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive.
  
  ==> train.sbatch-1192.out <==
  srun: fatal: SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive.
  
  ==> train.sbatch-1193.out <==
  cpu1
