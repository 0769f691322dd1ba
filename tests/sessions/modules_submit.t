Needs: lmod, mpi.
The script of this chapter, from a shell in which no environment is active.

  $ module purge
  $ command -v torchrun || echo "no torchrun"
  no torchrun
  $ job=$(sbatch --parsable scripts/slurm/modules_ddp.sbatch)
  $ cat modules_ddp-$job.out
  backend=gloo world_size=2 device=cpu \(no GPU is visible: .*\) (re)
  epoch 1/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 3/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 4/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 5/5 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=\S+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=5 (re)
