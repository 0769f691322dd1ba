Which processes scancel --signal reaches: the script, a program that it started itself, one that srun started. The
functions wait until all three are ready, until a signal has arrived, and until the job has ended.

  $ . "$REPO/tests/sessions/waits.bash"
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
  $ scancel() {
  >     local job=${!#} arrive=1
  >     [[ $* != *--full* ]] || arrive=3
  >     wait_lines 2 "is ready" "signals-$job.out"
  >     command scancel "$@"
  >     if [[ $1 == --signal=* ]]; then wait_lines $arrive "got USR1" "signals-$job.out"; else wait_ended --jobs="$job"; fi
  > }
#show
  $ cat signals.sbatch
  #!/bin/bash
  #SBATCH --output=signals-%j.out
  trap 'echo "the script got USR1"' USR1
  python3 listen.py "a program without srun" &
  srun python3 listen.py "a program in srun" &
  while [[ $(jobs -r) ]]; do wait; done
  $ for option in "" --batch --full; do
  >   job=$(sbatch --parsable signals.sbatch)
  >   scancel --signal=USR1 $option $job
  >   scancel $job
  >   echo "== scancel --signal=USR1 $option"
  >   grep "got USR1" signals-$job.out | sort
  > done
  == scancel --signal=USR1 
  a program in srun got USR1
  == scancel --signal=USR1 --batch
  the script got USR1
  == scancel --signal=USR1 --full
  a program in srun got USR1
  a program without srun got USR1
  the script got USR1
