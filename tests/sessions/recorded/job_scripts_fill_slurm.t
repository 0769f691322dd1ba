# recorded 2026-11-30 with slurm-wlm 22.05.8 and torch 2.14.1
A script of the course for a named cluster that runs Slurm; only what differs is shown.

  $ cp scripts/slurm/ddp_single_node.sbatch .
  $ workshop fill ddp_single_node.sbatch --site kebnekaise --output mine.sbatch
  For Kebnekaise (Slurm), status: live, open to its own universities only. In service; the project's leader must be at Umeå, Luleå, IRF, Mid Sweden or SLU. It stays several more years while the national clusters move to Arrhenius.
  - Left out: partition 'gpu'. The default of Kebnekaise, 'batch', takes this job.
  - No memory asked for: at Kebnekaise it comes with the cores.
  - Once, on a login node: module load GCC/13.3.0 OpenMPI/5.0.3 PyTorch/2.7.1-CUDA-12.6.0; python -m venv --system-site-packages .venv
  - Submit from a folder under /proj/nobackup. The home directory holds 25 GB only.
  $ diff --unified=0 ddp_single_node.sbatch mine.sbatch | tail --lines=+3
  @@ -1,0 +2,2 @@
  +# Filled for Kebnekaise (local; facts checked 2026-11-27)
  +#SBATCH --account=hpc2nXXXX-YYY    # EDIT: your own account (projinfo lists them)
  @@ -4 +5,0 @@
  -#SBATCH --partition=gpu            # EDIT: a partition with GPUs
  @@ -9 +10 @@
  -#SBATCH --mem=8G                   # EDIT: memory of the node
  +#SBATCH --constraint=v100
  @@ -12,0 +14,2 @@
  +module purge > /dev/null 2>&1
  +module load GCC/13.3.0 OpenMPI/5.0.3 PyTorch/2.7.1-CUDA-12.6.0
  $ workshop check mine.sbatch --site kebnekaise | tail --lines=1
  0 errors, 0 warnings, 0 notes. Submit with: sbatch mine.sbatch
