# recorded 2026-11-30 with slurm-wlm 22.05.8 and torch 2.14.1
Two jobs that a cluster cannot run, and one for a cluster that is no longer there.

  $ cp scripts/slurm/ddp_single_node.sbatch scripts/slurm/hello.sbatch .
  $ sed 's/gpus-per-node=2/gpus-per-node=8/' ddp_single_node.sbatch > eight.sbatch
  $ workshop fill eight.sbatch --site narval
  eight.sbatch: cannot be filled for Narval.
    No node of Narval has 8 GPUs: the most is 4. Ask for 4 GPUs on each of 2 nodes, or choose another site.
  [1]
  $ workshop fill eight.sbatch --site polaris
  eight.sbatch: cannot be filled for Polaris.
    Polaris runs PBS Pro, and this is a script for Slurm. Translate it first: workshop translate FILE --to pbs
  [1]
  $ workshop fill hello.sbatch --site alvis --output old.sbatch
  WARNING: Alvis is historical: no longer there, or nobody could say that it still is. By its center's notice of 2026-05-22 no compute nodes are left for national users after 2026-08-31; the successor is Arrhenius. Commands are those of 2025 and 2026.
  $ head -n 3 old.sbatch
  #!/bin/bash
  # Filled for Alvis (historical; facts checked 2026-11-27)
  # WARNING: Alvis is historical; nobody may be able to run this there any more
