# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
What a job's priority is made of: two jobs, the same but for their QOS. Both nodes of partition cpu are busy.

  $ sbatch --quiet --job-name=busy --nodes=2 --exclusive --time=5 --output=/dev/null --wrap="sleep 290"
  $ squeue --name=busy --format="%.6j %.8T %R"
    NAME    STATE NODELIST(REASON)
    busy  RUNNING cpu[1-2]
  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END
  $ sbatch --job-name=first train.sbatch
  Submitted batch job 7704
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job 7705
  $ sprio --weights --format="%.6A %.10F %.8J %.6Q"
     AGE  FAIRSHARE  JOBSIZE    QOS
    1000      10000      500   2000
  $ sprio --sort=i --format="%.6i %.9Y %.6A %.10F %.8J %.6Q"
   JOBID  PRIORITY    AGE  FAIRSHARE  JOBSIZE    QOS
    7704      3403      0       3333       70      0
    7705      5403      0       3333       70   2000
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
