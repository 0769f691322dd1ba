# recorded 2026-11-29 with Lmod 8.6.19, slurm-wlm 22.05.8 and torch 2.14.1
Needs: lmod, mpi.
The script of this chapter, from a shell in which no environment is active.

  $ module purge
  $ command -v torchrun || echo "no torchrun"
  no torchrun
  $ job=$(sbatch --parsable scripts/slurm/modules_ddp.sbatch)
  $ cat modules_ddp-$job.out
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  epoch 1/5 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=3521
  epoch 2/5 train_loss=0.5866 val_loss=0.4061 val_accuracy=0.8794 images_per_s=3397
  epoch 3/5 train_loss=0.2050 val_loss=0.0946 val_accuracy=0.9732 images_per_s=2728
  epoch 4/5 train_loss=0.0808 val_loss=0.0751 val_accuracy=0.9705 images_per_s=3409
  epoch 5/5 train_loss=0.0415 val_loss=0.0661 val_accuracy=0.9678 images_per_s=2693
  result: val_accuracy=0.9678 val_loss=0.0661 train_loss=0.0415 images_per_s=3397 epochs=5
