The chapter's job, on a practice cluster whose "GPU" nodes have no GPU: the program says so and uses gloo.

  $ cd "$REPO"
#show
  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_single_node.sbatch)
  $ sed -n '1,3p;$p' ddp_single_node-$job.out
  backend=gloo world_size=2 device=cpu \(no GPU is visible.*\) (re)
  epoch 1/10 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/10 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=0.9\d+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=10 (re)
