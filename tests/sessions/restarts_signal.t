Who gets the signal before the limit, and what comes at the limit. Three one-minute jobs at once; each prints what its
batch shell and its step receive, and when. Slurm looks at limits every half minute only, hence the patterns.

  $ cat > watch.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --time=00:01:00
  > trap 'echo "$SECONDS s: batch shell got TERM"' TERM
  > srun bash -c 'trap "echo \$SECONDS s: step got TERM; exit" TERM; while true; do sleep 1 & wait; done' &
  > wait; wait; wait
  > EOF
  $ sbatch --job-name=to_steps --signal=TERM@20 watch.sbatch
  Submitted batch job \d+ (re)
  $ sbatch --job-name=to_shell --signal=B:TERM@20 watch.sbatch
  Submitted batch job \d+ (re)
  $ job=$(sbatch --job-name=unwarned --parsable --wait watch.sbatch)
  $ grep got to_steps.out
  [1-5]?\d s: step got TERM (re)
  $ grep got to_shell.out | head -n 1
  [1-5]?\d s: batch shell got TERM (re)
  $ grep -oE "[0-9]+ s: step got.*|CANCELLED AT.*LIMIT" unwarned.out | sort --unique
  \d+ s: step got TERM (re)
  CANCELLED AT \S+ DUE TO TIME LIMIT (re)
  $ scontrol show job $job | grep -oE "(JobState|Reason)=\S+"
  JobState=TIMEOUT
  Reason=TimeLimit
