# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
A generic script filled for the invented cluster; only what differs is shown.

  $ cp scripts/sites/examples/my-cluster.yml scripts/slurm/ddp_single_node.sbatch .
  $ workshop fill ddp_single_node.sbatch --site ./my-cluster.yml --account course-2026 --output mine.sbatch
  For My Cluster (Slurm), status: live, open to its own universities only. For students of the course only.
  - Partition 'accel' in place of 'gpu': it takes this job.
  - --gres=gpu:rtx:2 in place of --gpus-per-node=2: so My Cluster asks for GPUs.
  - Compute nodes have no internet: fetch data and packages on a login node first.
  $ diff --unified=0 ddp_single_node.sbatch mine.sbatch | tail --lines=+3
  @@ -1,0 +2,2 @@
  +# Filled for My Cluster (local; facts checked 2026-11-20)
  +#SBATCH --account=course-2026
  @@ -4 +6 @@
  -#SBATCH --partition=gpu            # EDIT: a partition with GPUs
  +#SBATCH --partition=accel          # EDIT: a partition with GPUs
  @@ -8 +10,2 @@
  -#SBATCH --gpus-per-node=2          # EDIT: GPUs, one rank each
  +#SBATCH --gres=gpu:rtx:2           # EDIT: GPUs, one rank each
  +#SBATCH --constraint=ampere
  @@ -12,0 +16,5 @@
  +if [[ $SLURM_SUBMIT_DIR != /scratch/* ]]; then
  +    echo "My Cluster: submit from /scratch. Nothing else is mounted on the compute nodes" >&2
  +    exit 1
  +fi
  +module load PyTorch/2.7
