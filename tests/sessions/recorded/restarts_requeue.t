# recorded 2026-11-28 with slurm-wlm 22.05.8
The requeue script, warned after its third epoch with the signal that --signal sends before the limit; it puts itself
back into the queue. The functions wait, as a person would, until there is something to see.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ hold_training "$PWD/go"
  $ scancel() { wait_lines 3 epoch runs/requeue-$job/metrics.jsonl; command scancel "$@"; touch go; }
  $ squeue() { wait_squeue BeginTime %r --jobs=$job; command squeue "$@"; }
  $ grep() { case "$*" in *out) wait_ended --jobs=$job; esac; command grep "$@"; }
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
