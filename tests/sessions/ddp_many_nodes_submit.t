The chapter's job on two nodes of the practice cluster, whose "GPU" nodes have no GPU: the program uses gloo.

  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_multi_node.sbatch)
  $ grep -E "^(backend|epoch|result)" ddp_multi_node-$job.out
  backend=gloo world_size=4 device=cpu \(no GPU is visible.*\) (re)
  epoch 1/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 3/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 4/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 5/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=0\.\d+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=5 (re)
