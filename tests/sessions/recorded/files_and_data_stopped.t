# recorded 2026-11-28 with slurm-wlm 22.05.8 and torch 2.14.1
The same job with many more epochs, cancelled while it trains: what was measured until then is brought home.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ mkdir ../node_disk && export SLURM_TMPDIR=$(realpath ../node_disk)
  $ python scripts/train/make_archive.py data/digits.tar > made
  $ scancel() { wait_lines 3 epoch "$SLURM_TMPDIR/stage.*/runs/stage-$job/metrics.jsonl"; command scancel "$@"; wait_ended --jobs=$job; }
#show
  $ job=$(sed 's/--epochs 5 /--epochs 5000 /' scripts/slurm/stage_data.sbatch | sbatch --parsable)
  $ scancel $job
  $ cut --characters=1-40 runs/stage-$job/metrics.jsonl | head --lines=3
  {"epoch": 1, "train_loss": 2.09309121731
  {"epoch": 2, "train_loss": 0.58556261055
  {"epoch": 3, "train_loss": 0.21502471070
  $ ls $SLURM_TMPDIR
