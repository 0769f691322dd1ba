Needs: accounting.
What did I submit? The job is held, so that it can be looked at.

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
