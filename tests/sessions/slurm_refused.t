Needs: accounting.
Refused at once: a QOS that one may not use, and a request that breaks the limits of a QOS.

  $ sbatch --qos=long --wrap=hostname
  sbatch: error: Batch job submission failed: Invalid qos specification
  [1]
  $ sbatch --qos=short --time=60 --wrap=hostname
  sbatch: error: QOSMaxWallDurationPerJobLimit
  sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)
  [1]
  $ sbatch --partition=gpu --gpus-per-node=v100:5 --wrap=hostname
  sbatch: error: Batch job submission failed: Requested node configuration is not available
  [1]
