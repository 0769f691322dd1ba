The same program twice, looked at while it runs: the log stays empty until Python's buffer is full, or the program ends.
A job that is killed never gets that far. The functions wait until the program has printed, or has ended.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > epochs.py << 'END'
  > import time
  > print("epoch 1: loss 0.42")
  > open("printed", "w").close()
  > time.sleep(300)
  > END
  $ unset PYTHONUNBUFFERED
  $ wc() { wait_file printed; command wc "$@"; }
  $ cat() { case $1 in talking*) wait_file printed; esac; command cat "$@"; }
  $ scancel() { command scancel $1; wait_ended --jobs=$1; rm printed; }
#show
  $ job=$(sbatch --parsable --job-name=silent --output=%x.out --wrap="python3 epochs.py")
  $ wc -l silent.out
  0 silent.out
  $ scancel $job
  $ cat silent.out
  slurmstepd\S*: error: \*\*\* JOB \d+ ON cpu\d CANCELLED AT \S+ \*\*\* (re)
  $ export PYTHONUNBUFFERED=1
  $ job=$(sbatch --parsable --job-name=talking --output=%x.out --wrap="python3 epochs.py")
  $ cat talking.out
  epoch 1: loss 0.42
  $ scancel $job
