A job waits in the queue while its script and its program are edited: the script is the old one, the program the new one.

  $ ended() { for try in $(seq 900); do command squeue --noheader --jobs=$job 2> /dev/null | grep -q . && sleep 0.2 || break; done; }
  $ echo 'print("program: as submitted")' > main.py
  $ printf '%s\n' '#!/bin/bash' '#SBATCH --output=log-%j.out' 'echo "script:  as submitted"' 'python main.py' > job.sbatch
  $ cat() { case "$*" in log*) ended; esac; command cat "$@"; }
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
