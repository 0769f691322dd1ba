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
  Submitted batch job 7870
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job 7871
  $ sprio --weights --format="%.6A %.10F %.8J %.6Q"
     AGE  FAIRSHARE  JOBSIZE    QOS
    1000      10000      500   2000
  $ sprio --sort=i --format="%.6i %.9Y %.6A %.10F %.8J %.6Q"
   JOBID  PRIORITY    AGE  FAIRSHARE  JOBSIZE    QOS
    7870     10070      0      10000       70      0
    7871     12070      0      10000       70   2000
  $ squeue --states=PENDING --sort=-p --format="%.7j %.9Q %R"
     NAME  PRIORITY NODELIST(REASON)
   second     12070 (Resources)
    first     10070 (Priority)
  $ sshare --accounts=course --format=Account,NormShares,EffectvUsage,LevelFS,FairShare
  Account               NormShares  EffectvUsage    LevelFS  FairShare 
  -------------------- ----------- ------------- ---------- ---------- 
  course                  0.476190      0.000000        inf            
   course                 1.000000      0.000000        inf   1.000000 
  $ scancel --me
