A job waits in the queue while its script and its program are edited: the script is the old one, the program the new one.

  $ . "$REPO/tests/sessions/waits.bash"
  $ echo 'print("program: as submitted")' > main.py
  $ printf '%s\n' '#!/bin/bash' '#SBATCH --output=log-%j.out' 'echo "script:  as submitted"' 'python main.py' > job.sbatch
  $ cat() { case "$*" in log*) wait_ended --jobs=$job; esac; command cat "$@"; }
#show
  $ cat job.sbatch main.py
  #!/bin/bash
  #SBATCH --output=log-%j.out
  echo "script:  as submitted"
  python main.py
  print("program: as submitted")
  $ job=$(sbatch --parsable --hold job.sbatch)
  $ sed --in-place 's/as submitted/edited later/' job.sbatch main.py
  $ scontrol release $job
  $ cat log-$job.out
  script:  as submitted
  program: edited later
