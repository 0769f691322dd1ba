# recorded 2026-11-29 with slurm-wlm 22.05.8
A job waits in the queue while its script and its program are edited: the script is the old one, the program the new
one.

  $ echo 'print("program: as submitted")' > main.py
  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=log-%j.out
  > echo "script:  as submitted"
  > python main.py
  > END
  $ job=$(sbatch --parsable --hold job.sbatch)
  $ sed --in-place 's/as submitted/edited later/' job.sbatch main.py
  $ scontrol release $job
  $ cat log-$job.out
  script:  as submitted
  program: edited later
