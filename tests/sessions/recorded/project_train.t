# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
The best setting into the script, a commit, a snapshot, two nodes. The job is warned after its second epoch with the
signal that --signal sends before the limit. The functions wait, as a person would, until there is something to see.

  $ . "$REPO/tests/sessions/waits.bash"; . "$REPO/tests/sessions/project.bash"
  $ make_project digits; cd digits; ln -s "$REPO/.venv" .venv; mkdir logs
  $ python scripts/train/make_archive.py data/digits.tar > made && rm made
  $ hold_training "$PWD/go"
  $ scancel() { wait_lines 2 epoch "runs/*/train-$job/metrics.jsonl"; command scancel "$@"; touch go; }
  $ grep() { case "$*" in *out) wait_ended --jobs=$job; esac; command grep "$@"; }
#show
  $ sed --in-place 's/^best=([^)]*)/best=(--batch-size 32 --lr 0.05)/' scripts/slurm/project_train.sbatch
  $ git commit --quiet --all --message="Train with the best of the sweep"
  $ export CODE=snapshots/$(git rev-parse --short HEAD)
  $ mkdir --parents $CODE
  $ git archive HEAD | tar --extract --directory=$CODE
  $ job=$(sbatch --parsable --output=logs/%x-%j.out $CODE/scripts/slurm/project_train.sbatch)
  $ scancel --signal=TERM $job
  $ grep -E "^(backend|checkpoint|stopped|epoch 10|result)" logs/project_train-$job.out
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0, but the driver shows none)
  checkpoint: nothing to go on from in runs/3748df0/train-4320/checkpoints: starting from the beginning
  stopped by SIGTERM at step 110: start me again to go on
  backend=gloo world_size=2 device=cpu (no GPU is visible: CUDA_VISIBLE_DEVICES=0, but the driver shows none)
  checkpoint: going on from runs/3748df0/train-4320/checkpoints/step-00000110.pt
  epoch 10/10 train_loss=0.0012 val_loss=0.0366 val_accuracy=0.9866 images_per_s=3959
  result: val_accuracy=0.9866 val_loss=0.0366 train_loss=0.0012 images_per_s=3686 steady_images_per_s=3664 steady_images_per_s_min=2938 steady_images_per_s_max=4158 epoch_start_ms=5 epochs=10
