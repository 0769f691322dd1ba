Needs: accounting.
What a job's priority is made of: two jobs, the same but for their QOS.
A clean start: accounting is ready, both nodes of partition cpu are busy.

  $ scancel --me
  $ while squeue --noheader | grep --quiet .; do sleep 0.5; done
  $ timeout 180 bash -c 'until scontrol show config | grep --quiet "StorageEnforce.*qos"; do sleep 1; done'
  $ sbatch --quiet --job-name=busy --nodes=2 --exclusive --time=5 --output=/dev/null --wrap="sleep 290"
  $ until squeue --noheader --name=busy --states=RUNNING | grep --quiet .; do sleep 0.5; done
  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END

#show

  $ sbatch --job-name=first train.sbatch
  Submitted batch job [0-9]+ (re)
  $ sbatch --job-name=second --qos=short train.sbatch
  Submitted batch job [0-9]+ (re)
  $ sleep 3
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
