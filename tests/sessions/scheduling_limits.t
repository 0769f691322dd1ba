Needs: accounting.
Limits: the QOS "short" lets one user run two jobs at a time.

  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END
  $ sacctmgr --parsable2 show qos short format=Name,MaxWall,MaxJobsPerUser
  Name|MaxWall|MaxJobsPU
  short|00:30:00|2
  $ for name in one two three; do
  >   sbatch --quiet --job-name=$name --qos=short --partition=gpu hold.sbatch
  > done
  $ squeue --sort=i --format="%.6j %.6q %.8T %R"
    NAME    QOS    STATE NODELIST(REASON)
     one  short  RUNNING gpu[12] (re)
     two  short  RUNNING gpu[12] (re)
   three  short  PENDING (QOSMaxJobsPerUserLimit)
  $ scancel --me
