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
  backend=gloo world_size=2 device=cpu .* (re)
  checkpoint: nothing to go on from in runs/[0-9a-f]+/train-\d+/checkpoints: starting from the beginning (re)
  stopped by SIGTERM at step \d+: start me again to go on (re)
  backend=gloo world_size=2 device=cpu .* (re)
  checkpoint: going on from runs/[0-9a-f]+/train-\d+/checkpoints/step-\d+.pt (re)
  epoch 10/10 train_loss=\S+ val_loss=\S+ val_accuracy=\S+ images_per_s=\d+ (re)
  result: val_accuracy=0.9\d+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ steady_images_per_s=.* epochs=10 (re)
