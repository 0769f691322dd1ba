# recorded 2026-11-28 with slurm-wlm 22.05.8
The requeue script, warned after its third epoch with the signal that --signal sends before the limit; it puts itself
back into the queue. The functions wait, as a person would, until there is something to see.

  $ mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .
  $ epochs() { for try in $(seq 900); do [ "$(grep -c epoch runs/requeue-$job/metrics.jsonl 2> /dev/null)" -ge $1 ] 2> /dev/null && break || sleep 0.2; done; }
  $ requeued() { for try in $(seq 600); do command squeue --noheader --jobs=$job --format=%r | grep -q BeginTime && break || sleep 0.2; done; }
  $ ended() { for try in $(seq 900); do command squeue --noheader --jobs=$job | grep -q . && sleep 0.2 || break; done; }
  $ scancel() { epochs 3; command scancel "$@"; }
  $ squeue() { requeued; command squeue "$@"; }
  $ grep() { case "$*" in *out) ended; esac; command grep "$@"; }
#show
  $ job=$(sbatch --parsable scripts/slurm/requeue.sbatch)
  $ scancel --signal=TERM $job
  $ squeue --jobs=$job
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                3183       gpu  requeue      ada PD       0:00      1 (BeginTime)
  $ grep -E "^(checkpoint|stopped|result)" requeue-$job.out
  checkpoint: nothing to go on from in runs/requeue-3183/checkpoints: starting from the beginning
  stopped by SIGTERM at step 80: start me again to go on
  checkpoint: going on from runs/requeue-3183/checkpoints/step-00000080.pt
  result: val_accuracy=0.9866 val_loss=0.0318 train_loss=0.0059 images_per_s=6661 epochs=10
  $ grep -c ^epoch requeue-$job.out
  10
  $ scontrol show job $job | grep -oE "(JobState|Restarts|ExitCode)=\S+"
  JobState=COMPLETED
  Restarts=1
  ExitCode=0:0
