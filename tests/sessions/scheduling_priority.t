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
  Submitted batch job [0-9]+ (re)
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job [0-9]+ (re)
  $ sprio --weights --format="%.6A %.10F %.8J %.6Q"
     AGE  FAIRSHARE  JOBSIZE    QOS
    1000      10000      500   2000
  $ sprio --sort=i --format="%.6i %.9Y %.6A %.10F %.8J %.6Q"
   JOBID  PRIORITY    AGE  FAIRSHARE  JOBSIZE    QOS
   +[0-9]+ +[0-9]+ +[0-9] +[0-9]+ +[0-9]+ +0 (re)
   +[0-9]+ +[0-9]+ +[0-9] +[0-9]+ +[0-9]+ +2000 (re)
  $ squeue --states=PENDING --sort=-p --format="%.7j %.9Q %R"
     NAME  PRIORITY NODELIST(REASON)
   second +[0-9]+ \(Resources\) (re)
    first +[0-9]+ \(Priority\) (re)
  $ sshare --accounts=course --format=Account,NormShares,EffectvUsage,LevelFS,FairShare
  Account +NormShares +EffectvUsage +LevelFS +FairShare * (re)
  -+ -+ -+ -+ -+ * (re)
  course +[0-9.]+ +[0-9.]+ +([0-9.]+|inf) * (re)
   course +[0-9.]+ +[0-9.]+ +([0-9.]+|inf) +[0-9.]+ * (re)
  $ scancel --me
