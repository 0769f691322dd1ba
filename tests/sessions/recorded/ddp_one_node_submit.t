# recorded 2026-11-27 with slurm-wlm 22.05.8
The chapter's job, on a practice cluster whose "GPU" nodes have no GPU: the program says so and uses gloo.

  $ cd "$REPO"
#show
  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_single_node.sbatch)
  $ sed -n '1,3p;$p' ddp_single_node-$job.out
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/5 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=2684
  epoch 2/5 train_loss=0.5866 val_loss=0.4061 val_accuracy=0.8794 images_per_s=3304
  result: val_accuracy=0.9678 val_loss=0.0661 train_loss=0.0415 images_per_s=3195 epochs=5
