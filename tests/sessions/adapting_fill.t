A generic script filled for the invented cluster; only what differs is shown.

  $ cp "$REPO/scripts/sites/examples/my-cluster.yml" "$REPO/scripts/slurm/ddp_single_node.sbatch" .
#show
  $ workshop fill ddp_single_node.sbatch --site ./my-cluster.yml --account course-2026 --output mine.sbatch
  $ diff ddp_single_node.sbatch mine.sbatch
