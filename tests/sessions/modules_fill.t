The same script for three clusters.

  $ source .venv/bin/activate
  $ cp scripts/slurm/modules_ddp.sbatch .
  $ workshop fill modules_ddp.sbatch --site alvis 2> my_notes.txt | grep ^module
  module purge
  module load PyTorch/2.7.1-foss-2024a-CUDA-12.6.0
  $ workshop fill modules_ddp.sbatch --site kebnekaise 2> my_notes.txt | grep ^module
  module purge > /dev/null 2>&1
  module load GCC/13.3.0 OpenMPI/5.0.3 PyTorch/2.7.1-CUDA-12.6.0
  $ workshop fill modules_ddp.sbatch --site narval 2> my_notes.txt | grep -E "^(module|source)"
  module load python/3.11
  source .venv/bin/activate  # EDIT: your own environment
  $ deactivate
