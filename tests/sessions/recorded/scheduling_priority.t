# recorded 2026-11-28 with slurm-wlm 22.05.8
Needs: accounting.
What a job's priority is made of: two jobs, the same but for their QOS.
Both nodes of partition cpu are busy. A person looks when the scheduler has decided: the function waits for that.

  $ . "$REPO/tests/sessions/waits.bash"
  $ sprio() { wait_squeue "first Priority,second Resources" "%j %r" --states=PENDING; command sprio "$@"; }
  $ sbatch --quiet --job-name=busy --nodes=2 --exclusive --time=5 --output=/dev/null --wrap="sleep 290"
  $ wait_running 1 --name=busy
  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END

#show

  $ sbatch --job-name=first train.sbatch
  Submitted batch job 8022
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job 8023
  $ sprio --weights --format="%.6A %.10F %.8J %.6Q"
     AGE  FAIRSHARE  JOBSIZE    QOS
    1000      10000      500   2000
  $ sprio --sort=i --format="%.6i %.9Y %.6A %.10F %.8J %.6Q"
   JOBID  PRIORITY    AGE  FAIRSHARE  JOBSIZE    QOS
    8022      3403      0       3333       70      0
    8023      5403      0       3333       70   2000
  $ squeue --states=PENDING --sort=-p --format="%.7j %.9Q %R"
     NAME  PRIORITY NODELIST(REASON)
   second      5403 (Resources)
    first      3403 (Priority)
  $ sshare --accounts=course --format=Account,NormShares,EffectvUsage,LevelFS,FairShare
  Account               NormShares  EffectvUsage    LevelFS  FairShare 
  -------------------- ----------- ------------- ---------- ---------- 
  course                  0.476190      1.000000   0.476190            
   course                 1.000000      1.000000   1.000000   0.333333 
  $ scancel --me
