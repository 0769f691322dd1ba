# recorded 2026-11-28 with slurm-wlm 22.05.8
The same script for three clusters.

#show
  $ for site in alvis kebnekaise narval; do echo "# $site"; workshop fill "$REPO/scripts/slurm/modules_ddp.sbatch" --site $site 2> /dev/null | grep -E "^(module|source)"; done
  # alvis
  module purge
  module load PyTorch/2.7.1-foss-2024a-CUDA-12.6.0
  # kebnekaise
  module purge > /dev/null 2>&1
  module load GCC/13.3.0 OpenMPI/5.0.3 PyTorch/2.7.1-CUDA-12.6.0
  # narval
  module load python/3.11
  source .venv/bin/activate  # EDIT: your own environment
