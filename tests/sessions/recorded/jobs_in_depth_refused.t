# recorded 2026-11-29 with slurm-wlm 22.05.8
Requests that Slurm refuses at once: a GPU that no node has, GPUs where there are none, a misspelt resource, a feature
that no node has, more cores than a node has.

  $ sbatch --partition=gpu --gpus-per-node=a100:1 --wrap="nvidia-smi"
  sbatch: error: Batch job submission failed: Requested node configuration is not available
  [1]
  $ sbatch --gpus-per-node=1 --wrap="nvidia-smi"
  sbatch: error: Batch job submission failed: Requested node configuration is not available
  [1]
  $ sbatch --partition=gpu --gres=gpus:1 --wrap="nvidia-smi"
  sbatch: error: Invalid generic resource (gres) specification
  [1]
  $ sbatch --constraint=cascadelake --wrap="lscpu"
  sbatch: error: Batch job submission failed: Invalid feature specification
  [1]
  $ sbatch --cpus-per-task=9 --wrap="nproc"
  sbatch: error: CPU count per node can not be satisfied
  sbatch: error: Batch job submission failed: Requested node configuration is not available
  [1]
