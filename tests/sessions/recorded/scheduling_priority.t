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
  Submitted batch job 3476
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job 3477
  $ sprio --weights --format="%.6A %.10F %.8J %.6Q"
     AGE  FAIRSHARE  JOBSIZE    QOS
    1000      10000      500   2000
  $ sprio --sort=i --format="%.6i %.9Y %.6A %.10F %.8J %.6Q"
   JOBID  PRIORITY    AGE  FAIRSHARE  JOBSIZE    QOS
    3476     10070      0      10000       70      0
    3477     12070      0      10000       70   2000
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
