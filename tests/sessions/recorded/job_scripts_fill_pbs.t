# recorded 2026-11-30 with torch 2.14.1
A script of the course for a named cluster that runs PBS; only what differs is shown.

  $ cp scripts/pbs/ddp_single_node.pbs .
  $ workshop fill ddp_single_node.pbs --site polaris --output mine.pbs
  For Polaris (PBS Pro), status: live. In service; its PyTorch page names software of October 2026.
  - Queue 'debug' in place of 'gpu': it takes this job. 24 nodes for all its jobs, 8 of them its own.
  - Added: -l place=scatter, as Polaris advises.
  - Added: -l filesystems=home:eagle. Polaris wants it in every job.
  - First line #!/bin/bash -l in place of #!/bin/bash: Polaris wants #!/bin/bash -l.
  - Once, on a login node: module use /soft/modulefiles; module load conda; conda activate base; python -m venv --system-site-packages .venv
  - Submit from a folder under /eagle. The home file system is for small files.
  - Compute nodes reach the internet only after: export http_proxy=http://proxy.alcf.anl.gov:3128; export https_proxy=http://proxy.alcf.anl.gov:3128
  - Polaris gives whole nodes: 4 GPUs each, of which this job uses 2.
  $ diff --unified=0 ddp_single_node.pbs mine.pbs | tail --lines=+3
  @@ -1 +1,4 @@
  -#!/bin/bash
  +#!/bin/bash -l
  +# Filled for Polaris (live; facts checked 2026-11-27)
  +# EDIT: your own account (sbank lists them)
  +#PBS -A PROJECT
  @@ -5 +8 @@
  -#PBS -q gpu
  +#PBS -q debug
  @@ -7 +10 @@
  -#PBS -l select=1:ncpus=4:mpiprocs=2:ompthreads=1:ngpus=2:mem=8gb
  +#PBS -l select=1:ncpus=4:mpiprocs=2:ompthreads=1:ngpus=2:mem=8gb:system=polaris
  @@ -9,0 +13,2 @@
  +#PBS -l place=scatter
  +#PBS -l filesystems=home:eagle
  @@ -12,0 +18,5 @@
  +module use /soft/modulefiles
  +module load conda
  +set +u
  +conda activate base
  +set -u
  $ workshop check mine.pbs --site polaris | tail --lines=1
  0 errors, 0 warnings, 1 note. Submit with: qsub mine.pbs
