# recorded 2026-11-28 with slurm-wlm 22.05.8
An alias of the shell at the prompt, and the same word in a job.

  $ shopt -s expand_aliases
#show
  $ alias hi='echo hello from $(hostname)'
  $ hi
  hello from login
  $ cat > job.sh <<'END'
  > #!/bin/bash
  > hi
  > END
  $ sbatch --wait --output=job.out job.sh
  Submitted batch job 6341
  [127]
  $ grep -o "line.*" job.out
  line 2: hi: command not found
