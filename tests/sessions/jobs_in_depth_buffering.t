The same program twice, looked at while it runs: the log stays empty until Python's buffer is full, or the program
ends. A job that is killed never gets that far.

  $ cat > epochs.py << 'END'
  > import time
  > print("epoch 1: loss 0.42")
  > open("printed", "w").close()
  > time.sleep(300)
  > END
  $ job=$(sbatch --parsable --job-name=silent --output=%x.out --wrap="python3 epochs.py")
  $ ls printed
  printed
  $ wc -l silent.out
  0 silent.out
  $ scancel $job
  $ rm printed
  $ grep -v Terminated silent.out
  slurmstepd\S*: error: \*\*\* JOB \d+ ON cpu\d CANCELLED AT \S+ \*\*\* (re)
  $ export PYTHONUNBUFFERED=1
  $ job=$(sbatch --parsable --job-name=talking --output=%x.out --wrap="python3 epochs.py")
  $ cat talking.out
  epoch 1: loss 0.42
  $ scancel $job
  $ unset PYTHONUNBUFFERED
