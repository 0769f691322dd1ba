# recorded 2026-11-27 with slurm-wlm 22.05.8
The invented cluster has two GPUs a node, the script asks for four.

  $ cp scripts/sites/examples/my-cluster.yml scripts/slurm/ddp_single_node.sbatch .
  $ sed -i 's/gpus-per-node=2/gpus-per-node=4/' ddp_single_node.sbatch
  $ workshop fill ddp_single_node.sbatch --site ./my-cluster.yml --account course-2026
  ddp_single_node.sbatch: cannot be filled for My Cluster.
    No node of My Cluster has 4 GPUs: the most is 2. Ask for 2 GPUs on each of 2 nodes, or choose another site.
  [1]
