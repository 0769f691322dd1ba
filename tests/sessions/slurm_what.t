Needs: accounting.
What did I submit? The job is held, so that it can be looked at. The function waits until the database knows it.

  $ . "$REPO/tests/sessions/waits.bash"
  $ clone_here
  $ known() { command sacct --noheader --jobs=$job --format=JobName | grep --quiet hello; }
  $ sacct() { wait_until "job $job in the database" known; command sacct "$@"; }
#show
  $ job=$(sbatch --parsable --hold --time=10 scripts/slurm/hello.sbatch)
  $ scontrol write batch_script $job - | head -n 3
  #!/bin/bash
  #SBATCH --job-name=hello
  #SBATCH --output=%x-%j.out
  $ sacct --jobs=$job --format=SubmitLine%66
                                                          SubmitLine 
  ------------------------------------------------------------------ 
       sbatch --parsable --hold --time=10 scripts/slurm/hello.sbatch 
  $ scancel $job
