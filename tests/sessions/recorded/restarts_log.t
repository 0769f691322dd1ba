# recorded 2026-11-29 with slurm-wlm 22.05.8
A job that puts itself back into the queue once, with the default way of opening the log and with append. How long it
waits there is AuthInfo's cred_expire: the practice cluster sets 10 seconds, Slurm's default is 120.

  $ cat > twice.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --requeue
  > echo "this is run ${SLURM_RESTART_COUNT:-0}"
  > if ((${SLURM_RESTART_COUNT:-0} < 1)); then
  >     scontrol requeue "$SLURM_JOB_ID"
  >     exec sleep 60
  > fi
  > EOF
  $ sbatch --job-name=wiped twice.sbatch
  Submitted batch job 3091
  $ sbatch --job-name=kept --open-mode=append --wait twice.sbatch
  Submitted batch job 3092
  $ cat wiped.out
  this is run 1
  $ cat kept.out
  this is run 0
  slurmstepd-cpu1: error: *** JOB 3092 ON cpu1 CANCELLED AT 2026-11-29T17:30:22 DUE TO JOB REQUEUE ***
  this is run 1
