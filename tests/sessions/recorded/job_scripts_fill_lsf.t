# recorded 2026-11-30 with torch 2.14.1
A script of the course for a named cluster that runs LSF; only what differs is shown.

  $ cp scripts/lsf/ddp_single_node.lsf .
  $ workshop fill ddp_single_node.lsf --site dtu-hpc --output mine.lsf
  For DTU HPC (LSF), status: live. The center's pages were read in condensed copies of August 2026; the table of GPU nodes comes from a user's guide that cites them.
  - Queue 'gpuv100' in place of 'gpu': it takes this job.
  - -gpu "num=2:mode=exclusive_process" in place of "num=2": DTU HPC wants num=2:mode=exclusive_process.
  - Memory: 8GB for a node became 2GB for each of its 4 slots.
  - Once, in a shell of linuxsh, since no program may run on the login nodes: module load python3/3.11.7; python3 -m venv .venv; source .venv/bin/activate; pip install torch torchvision
  $ diff --unified=0 ddp_single_node.lsf mine.lsf | tail --lines=+3
  @@ -1,0 +2 @@
  +# Filled for DTU HPC (live; facts checked 2026-11-27)
  @@ -4 +5 @@
  -#BSUB -q gpu                       # EDIT: a queue with GPUs
  +#BSUB -q gpuv100                   # EDIT: a queue with GPUs
  @@ -7,2 +8,2 @@
  -#BSUB -gpu "num=2"                 # EDIT: GPUs, one rank each
  -#BSUB -R "rusage[mem=8GB]"         # EDIT: memory of the node (some sites count it for each core)
  +#BSUB -gpu "num=2:mode=exclusive_process"  # EDIT: GPUs, one rank each
  +#BSUB -R "rusage[mem=2GB]"         # EDIT: memory of each core
  @@ -11,0 +13 @@
  +module load python3/3.11.7 cuda/12.6.3
  $ workshop check mine.lsf --site dtu-hpc | tail --lines=1
  0 errors, 0 warnings, 1 note. Submit with: bsub < mine.lsf
