# recorded 2026-11-28 with slurm-wlm 22.05.8
The chapter's job on two nodes of the practice cluster, whose "GPU" nodes have no GPU: the program uses gloo.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
#show
  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_multi_node.sbatch)
  $ grep -E "^(backend|epoch|result)" ddp_multi_node-$job.out
  backend=gloo world_size=4 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/5 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=1489
  epoch 2/5 train_loss=0.5866 val_loss=0.4061 val_accuracy=0.8794 images_per_s=1434
  epoch 3/5 train_loss=0.2050 val_loss=0.0946 val_accuracy=0.9732 images_per_s=1218
  epoch 4/5 train_loss=0.0808 val_loss=0.0751 val_accuracy=0.9705 images_per_s=1338
  epoch 5/5 train_loss=0.0415 val_loss=0.0661 val_accuracy=0.9678 images_per_s=1773
  result: val_accuracy=0.9678 val_loss=0.0661 train_loss=0.0415 images_per_s=1434 epochs=5
