# recorded 2026-11-29 with slurm-wlm 24.11.5
Needs: Slurm 24.11.
srun asks for more cores than the job has: it waits, without a word, until the job ends. The functions wait until srun
does nothing any more, and until the job has gone.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > steps.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --ntasks=2
  > #SBATCH --time=5
  > srun --cpus-per-task=8 hostname
  > END
  $ squeue() { wait_stopped 1 "^([^ ]*/)?srun --cpus-per-task=8 hostname"; command squeue "$@"; }
  $ scancel() { command scancel "$@"; wait_ended --jobs="$1"; }
#show
  $ job=$(sbatch --parsable steps.sbatch)
  $ squeue --jobs=$job --format="%T %C"
  STATE CPUS
  RUNNING 2
  $ wc --lines < steps.sbatch-$job.out
  0
  $ scancel $job
