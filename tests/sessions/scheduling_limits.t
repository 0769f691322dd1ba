Needs: accounting.
Limits: the QOS "short" lets one user run two jobs at a time.
A clean start: nothing else runs, accounting is ready, a free node in partition gpu.

  $ scancel --me
  $ while squeue --noheader | grep --quiet .; do sleep 0.5; done
  $ timeout 180 bash -c 'until scontrol show config | grep --quiet "StorageEnforce.*qos"; do sleep 1; done'
  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END

#show

  $ cat hold.sbatch
  #!/bin/bash
  #SBATCH --output=/dev/null
  #SBATCH --time=5
  sleep 290
  $ sacctmgr --parsable2 show qos short format=Name,MaxWall,MaxJobsPerUser
  Name|MaxWall|MaxJobsPU
  short|00:30:00|2
  $ for name in one two three; do
  >   sbatch --quiet --job-name=$name --qos=short --partition=gpu hold.sbatch
  > done
  $ sleep 4
  $ squeue --sort=i --format="%.6j %.6q %.8T %R"
    NAME    QOS    STATE NODELIST(REASON)
     one  short  RUNNING gpu[12] (re)
     two  short  RUNNING gpu[12] (re)
   three  short  PENDING (QOSMaxJobsPerUserLimit)
  $ scancel --me
