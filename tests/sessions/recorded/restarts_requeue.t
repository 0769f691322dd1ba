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
                5331       gpu  requeue      ada PD       0:00      1 (BeginTime)
  $ grep -E "^(checkpoint|epoch|stopped|result)|REQUEUE" requeue-$job.out
  checkpoint: nothing to go on from in runs/requeue-5331/checkpoints: starting from the beginning
  epoch 1/10 train_loss=2.0929 val_loss=1.2922 val_accuracy=0.6434 images_per_s=2384
  epoch 2/10 train_loss=0.5827 val_loss=0.4150 val_accuracy=0.8740 images_per_s=2349
  epoch 3/10 train_loss=0.2159 val_loss=0.0782 val_accuracy=0.9732 images_per_s=3919
  stopped by SIGTERM at step 80: start me again to go on
  slurmstepd-gpu1: error: *** JOB 5331 ON gpu1 CANCELLED AT 2026-11-28T06:52:11 DUE TO JOB REQUEUE ***
  checkpoint: going on from runs/requeue-5331/checkpoints/step-00000080.pt
  epoch 4/10 train_loss=0.1067 val_loss=0.0627 val_accuracy=0.9812 images_per_s=3323
  epoch 5/10 train_loss=0.0348 val_loss=0.0454 val_accuracy=0.9839 images_per_s=3132
  epoch 6/10 train_loss=0.0249 val_loss=0.0571 val_accuracy=0.9732 images_per_s=2552
  epoch 7/10 train_loss=0.0147 val_loss=0.0372 val_accuracy=0.9839 images_per_s=2482
  epoch 8/10 train_loss=0.0086 val_loss=0.0359 val_accuracy=0.9839 images_per_s=3931
  epoch 9/10 train_loss=0.0069 val_loss=0.0321 val_accuracy=0.9866 images_per_s=2759
  epoch 10/10 train_loss=0.0059 val_loss=0.0318 val_accuracy=0.9866 images_per_s=2843
  result: val_accuracy=0.9866 val_loss=0.0318 train_loss=0.0059 images_per_s=2801 epochs=10
  $ scontrol show job $job | grep -oE "(JobState|Restarts|ExitCode)=\S+"
  JobState=COMPLETED
  Restarts=1
  ExitCode=0:0
