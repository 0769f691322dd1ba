Needs: accounting.
Exit codes in Slurm: a program is killed, and a job is cancelled before it starts.

  $ cat > killed.sh << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > bash -c 'kill -9 $$'
  > END
  $ job=$(sbatch --parsable --wait killed.sh)
  [137]
  $ scontrol show job $job | grep --only-matching "JobState=FAILED\|ExitCode=.*"
  JobState=FAILED
  ExitCode=137:0
  $ sacct --jobs=$job --format=JobName,State,ExitCode
     JobName      State ExitCode 
  ---------- ---------- -------- 
   killed.sh     FAILED      9:0 
       batch     FAILED      9:0 
  $ sbatch --wait --hold --job-name=never --wrap="sleep 60" > my_never.txt &
  $ squeue --name=never --format=%r
  REASON
  JobHeldUser
  $ scancel --name=never; wait $!; echo $?
  0
