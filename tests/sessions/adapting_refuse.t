The invented cluster has two GPUs a node, the script asks for four.

  $ cp "$REPO/scripts/sites/examples/my-cluster.yml" "$REPO/scripts/slurm/ddp_single_node.sbatch" .
  $ sed -i 's/gpus-per-node=2/gpus-per-node=4/' ddp_single_node.sbatch
#show
  $ workshop fill ddp_single_node.sbatch --site ./my-cluster.yml --account course-2026
