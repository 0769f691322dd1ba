# recorded 2026-11-29 with slurm-wlm 22.05.8
More ways to be refused at once, and one request that is changed.

  $ cat > space.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=second try
  > hostname
  > END
  $ sbatch trian.sbatch
  sbatch: error: Unable to open file trian.sbatch
  [1]
  $ sbatch --partition=gpus --wrap=hostname
  sbatch: error: invalid partition specified: gpus
  sbatch: error: Batch job submission failed: Invalid partition name specified
  [1]
  $ sbatch space.sbatch
  sbatch: error: Invalid directive found in batch script: try
  [255]
  $ sbatch --time=2days --wrap=hostname
  sbatch: error: Invalid --time specification
  [255]
  $ sbatch --hold --nodes=4 --ntasks=3 --wrap=hostname
  sbatch: Warning: can't run 3 processes on 4 nodes, setting nnodes to 3
  Submitted batch job 1535
  $ scancel --me
