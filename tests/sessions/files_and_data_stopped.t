The same job with many more epochs, cancelled while it trains: what was measured until then is brought home.

  $ export SLURM_TMPDIR=$(mktemp --directory)
  $ job=$(sed 's/--epochs 5 /--epochs 5000 /' scripts/slurm/stage_data.sbatch | sbatch --parsable)
  $ cut --characters=1-11 $SLURM_TMPDIR/stage.*/runs/stage-$job/metrics.jsonl | head --lines=3
  {"epoch": 1
  {"epoch": 2
  {"epoch": 3
  $ scancel $job
  $ cut --characters=1-40 runs/stage-$job/metrics.jsonl | head --lines=3
  {"epoch": 1, "train_loss": \S+ (re)
  {"epoch": 2, "train_loss": \S+ (re)
  {"epoch": 3, "train_loss": \S+ (re)
  $ ls $SLURM_TMPDIR
