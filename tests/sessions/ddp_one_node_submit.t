The chapter's job, on a practice cluster whose "GPU" nodes have no GPU: the program says so and uses gloo.

  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_single_node.sbatch)
  $ sed -n '1p;$p' ddp_single_node-$job.out | fold -s -w 72
  backend=gloo world_size=2 device=cpu \(no GPU is visible: .* (re)
  .*but the driver shows none\) (re)
  result: val_accuracy=0.9\d+ val_loss=\S+ train_loss=\S+\s (re)
  images_per_s=\d+ epochs=\d+ (re)
