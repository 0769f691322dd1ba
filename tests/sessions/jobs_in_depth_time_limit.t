A job whose shell is warned, and told to end; it must not wait for its program in the foreground, or it hears nothing
until that has ended. Nobody waits for the limit here: scancel sends what Slurm sends before it and at it. (Session
restarts_signal waits for a real one.) The functions wait until the shell waits for its program, and until it answers.
The program is one that takes its time when it is told to end: if it were gone first, the shell would end with it.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > limit.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=limit
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=01:00:00
  > #SBATCH --signal=B:USR1@120
  > trap 'echo "shell: warned by USR1, I save"' USR1
  > trap 'echo "shell: TERM, I stop"; exit 1' TERM
  > sleep 600 &
  > wait; wait
  > END
  $ mkdir bin && printf '%s\n' '#!/bin/sh' 'trap "" TERM; touch started; exec /bin/sleep "$@"' > bin/sleep && chmod +x bin/sleep && PATH=$PWD/bin:$PATH
  $ scancel() { case $1 in --batch) wait_file started;; *) wait_lines 1 warned limit-$job.out;; esac; command scancel "$@"; }
  $ cat() { case $1 in *.out) wait_ended --jobs=$job;; esac; command cat "$@"; }
#show
  $ cat limit.sbatch
  #!/bin/bash
  #SBATCH --job-name=limit
  #SBATCH --output=%x-%j.out
  #SBATCH --time=01:00:00
  #SBATCH --signal=B:USR1@120
  trap 'echo "shell: warned by USR1, I save"' USR1
  trap 'echo "shell: TERM, I stop"; exit 1' TERM
  sleep 600 &
  wait; wait
  $ job=$(sbatch --parsable limit.sbatch)
  $ scancel --batch --signal=USR1 $job
  $ scancel $job
  $ cat limit-$job.out
  shell: warned by USR1, I save
  slurmstepd\S*: error: \*\*\* JOB \d+ ON cpu\d CANCELLED AT \S+ \*\*\* (re)
  shell: TERM, I stop
  $ scontrol show job $job | grep -oE "(JobState|Reason|ExitCode)=\S+"
  JobState=CANCELLED
  Reason=None
  ExitCode=1:0
