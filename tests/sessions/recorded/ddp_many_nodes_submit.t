# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The chapter's job on two nodes of the practice cluster, whose "GPU" nodes have no GPU: the program uses gloo.

  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_multi_node.sbatch)
  $ grep -E "^(backend|epoch|result)" ddp_multi_node-$job.out
  backend=gloo world_size=4 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/5 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=746
  epoch 2/5 train_loss=0.5866 val_loss=0.4061 val_accuracy=0.8794 images_per_s=854
  epoch 3/5 train_loss=0.2050 val_loss=0.0946 val_accuracy=0.9732 images_per_s=744
  epoch 4/5 train_loss=0.0808 val_loss=0.0751 val_accuracy=0.9705 images_per_s=863
  epoch 5/5 train_loss=0.0415 val_loss=0.0661 val_accuracy=0.9678 images_per_s=904
  result: val_accuracy=0.9678 val_loss=0.0661 train_loss=0.0415 images_per_s=854 epochs=5
