The same job with many more epochs, cancelled while it trains: what was measured until then is brought home.

  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .
  $ mkdir ../node_disk && export SLURM_TMPDIR=$(realpath ../node_disk)
  $ python scripts/train/make_archive.py data/digits.tar > made
  $ trained() { for try in $(seq 900); do [ "$(cat $SLURM_TMPDIR/stage.*/runs/stage-$job/metrics.jsonl 2> /dev/null | wc -l)" -ge 3 ] && break || sleep 0.1; done; }
  $ scancel() { trained; command scancel "$@"; for try in $(seq 300); do [ -z "$(ls $SLURM_TMPDIR)" ] && break || sleep 0.1; done; }
#show
  $ job=$(sed 's/--epochs 5 /--epochs 5000 /' scripts/slurm/stage_data.sbatch | sbatch --parsable)
  $ scancel $job
  $ cut --characters=1-40 runs/stage-$job/metrics.jsonl | head --lines=3
  {"epoch": 1, "train_loss": \S+ (re)
  {"epoch": 2, "train_loss": \S+ (re)
  {"epoch": 3, "train_loss": \S+ (re)
  $ ls $SLURM_TMPDIR
