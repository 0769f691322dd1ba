# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The chapter's job, on a practice cluster whose "GPU" nodes have no GPU: the program says so and uses gloo.

  $ job=$(sbatch --wait --parsable scripts/slurm/ddp_single_node.sbatch)
  $ sed -n '1p;$p' ddp_single_node-$job.out | fold -s -w 72
  backend=gloo world_size=2 device=cpu (no GPU is visible: 
  CUDA_VISIBLE_DEVICES=0,1, but the driver shows none)
  result: val_accuracy=0.9678 val_loss=0.0661 train_loss=0.0415 
  images_per_s=5945 epochs=5
