Which processes scancel --signal reaches: the script, a program that it started itself, one that srun started.

  $ cat > listen.py << 'END'
  > import signal, sys
  > signal.signal(signal.SIGUSR1, lambda *_: print(sys.argv[1], "got USR1", flush=True))
  > print(sys.argv[1], "is ready", flush=True)
  > while True:
  >     signal.pause()
  > END
  $ cat > signals.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=signals-%j.out
  > trap 'echo "the script got USR1"' USR1
  > python3 listen.py "a program without srun" &
  > srun python3 listen.py "a program in srun" &
  > while [[ $(jobs -r) ]]; do wait; done
  > END
  $ job=$(sbatch --parsable signals.sbatch)
  $ grep "is ready" signals-$job.out | sort
  a program in srun is ready
  a program without srun is ready
  $ scancel --signal=USR1 $job
  $ grep "got USR1" signals-$job.out | sort
  a program in srun got USR1
  $ scancel --signal=USR1 --batch $job
  $ grep "got USR1" signals-$job.out | sort
  a program in srun got USR1
  the script got USR1
  $ scancel --signal=USR1 --full $job
  $ grep "got USR1" signals-$job.out | sort
  a program in srun got USR1
  a program in srun got USR1
  a program without srun got USR1
  the script got USR1
  the script got USR1
  $ scancel $job
