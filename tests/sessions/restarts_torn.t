A checkpoint of which half is missing, and checkpoints of a run with another network: named, skipped, kept.

  $ python scripts/train/ddp_resume.py --epochs 3 | grep -E "^(checkpoint|epoch)"
  checkpoint: nothing to go on from in runs/ddp_resume/checkpoints: starting from the beginning
  epoch 1/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 2/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  epoch 3/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  $ ls runs/ddp_resume/checkpoints
  step-00000046.pt
  step-00000069.pt
  $ truncate --size=200K runs/ddp_resume/checkpoints/step-00000069.pt
  $ python scripts/train/ddp_resume.py --epochs 3 | grep -E "^(checkpoint|epoch)"
  checkpoint: skipping runs/ddp_resume/checkpoints/step-00000069.pt: torn, or not written by torch.save
  checkpoint: going on from runs/ddp_resume/checkpoints/step-00000046.pt
  epoch 3/3 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  $ ls runs/ddp_resume/checkpoints
  step-00000046.pt
  step-00000069-1.pt
  step-00000069.pt
  $ python scripts/train/ddp_resume.py --epochs 3 --batch-norm | grep checkpoint
  checkpoint: skipping runs/ddp_resume/checkpoints/step-00000069-1.pt: of another run: batch_norm was False, now it is True
  checkpoint: skipping runs/ddp_resume/checkpoints/step-00000069.pt: torn, or not written by torch.save
  checkpoint: skipping runs/ddp_resume/checkpoints/step-00000046.pt: of another run: batch_norm was False, now it is True
  checkpoint: nothing to go on from in runs/ddp_resume/checkpoints: starting from the beginning
  $ rm --recursive runs/ddp_resume
