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
   +\d+ +gpu +requeue +\w+ +PD +0:00 +1 \(BeginTime\) (re)
  $ grep -E "^(checkpoint|stopped|result)" requeue-$job.out
  checkpoint: nothing to go on from in runs/requeue-\d+/checkpoints: starting from the beginning (re)
  stopped by SIGTERM at step \d+: start me again to go on (re)
  checkpoint: going on from runs/requeue-\d+/checkpoints/step-\d+.pt (re)
  result: val_accuracy=0.98\d+ val_loss=\S+ train_loss=\S+ images_per_s=\d+ epochs=10 (re)
  $ grep -c ^epoch requeue-$job.out
  10
  $ scontrol show job $job | grep -oE "(JobState|Restarts|ExitCode)=\S+"
  JobState=COMPLETED
  Restarts=1
  ExitCode=0:0
