# recorded 2026-11-29 with slurm-wlm 22.05.8
An alias of the shell at the prompt, and the same word in a job.

  $ alias hi='echo hello from $(hostname)'
  $ hi
  hello from login
  $ cat > job.sh <<'END'
  > #!/bin/bash
  > hi
  > END
  $ sbatch --wait --output=job.out job.sh
  Submitted batch job 5487
  [127]
  $ grep -o "line.*" job.out
  line 2: hi: command not found
