# recorded 2026-11-29 with slurm-wlm 22.05.8
One kind of memory request cannot beat another: the header's --mem stays.

  $ grep -e --mem scripts/slurm/hello.sbatch
  #SBATCH --mem=500M                 # EDIT: memory of the node
  $ sbatch --mem-per-cpu=1G scripts/slurm/hello.sbatch
  sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.
  [1]
  $ job=$(sbatch --parsable --hold --mem=1G scripts/slurm/hello.sbatch)
  $ scancel $job
