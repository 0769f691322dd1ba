What an administrator does for a course, and how a participant uses it. The administrator is who runs the practice
cluster.

  $ scontrol create reservation ReservationName=course Nodes=cpu2 Users=$USER StartTime=now Duration=1:00:00
  Reservation created: course
  $ export SBATCH_RESERVATION=course
  $ sbatch --wait scripts/slurm/hello.sbatch
  Submitted batch job \d+ (re)
  $ grep node: hello-*.out
  node:           cpu2
  $ SBATCH_RESERVATION=courze sbatch scripts/slurm/hello.sbatch
  sbatch: error: Batch job submission failed: Requested reservation is invalid
  [1]
  $ scontrol delete ReservationName=course
  $ unset SBATCH_RESERVATION
  $ rm hello-*.out
