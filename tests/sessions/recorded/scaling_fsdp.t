# recorded 2026-11-29 with torch 2.14.1
Train in pieces with two ranks, damage the last checkpoint, go on from the one before with one rank.

  $ torchrun --standalone --nproc-per-node=2 scripts/train/fsdp.py --epochs 2 |
  >   grep -v "^result" | fold -s -w 76
  backend=gloo world_size=2 device=cpu (no GPU is visible)
  checkpoint: nothing to go on from in runs/fsdp/checkpoints: starting from 
  the beginning
  rank 0 keeps, in bytes: weights 404116 of 808232, gradients 404116 of 
  808232, optimizer 808232 of 1616464
  epoch 1/2 train_loss=1.4897 val_loss=1.0199 val_accuracy=0.7641 
  images_per_s=1057
  epoch 2/2 train_loss=0.8190 val_loss=0.7010 val_accuracy=0.8150 
  images_per_s=1260
  $ ls --almost-all runs/fsdp/checkpoints/step-00000060
  .metadata
  __0_0.distcp
  __1_0.distcp
  run.pt
  $ truncate --size=1000 runs/fsdp/checkpoints/step-00000060/__0_0.distcp
  $ torchrun --standalone --nproc-per-node=1 scripts/train/fsdp.py --epochs 3 |
  >   grep -E "^(checkpoint|rank|epoch)" | fold -s -w 76
  checkpoint: skipping runs/fsdp/checkpoints/step-00000060: __0_0.distcp is 
  torn: 1000 of 1472493 bytes
  checkpoint: going on from runs/fsdp/checkpoints/step-00000030
  rank 0 keeps, in bytes: weights 808232 of 808232, gradients 808232 of 
  808232, optimizer 1616464 of 1616464
  epoch 2/3 train_loss=0.7946 val_loss=0.6430 val_accuracy=0.8445 
  images_per_s=2145
  epoch 3/3 train_loss=0.5188 val_loss=0.5152 val_accuracy=0.8660 
  images_per_s=2012
