Priority and limits with accounting: the QOS "short" lets one user run two jobs at a time.
A clean start: nothing else runs, accounting is ready, a free node in partition gpu.

  $ scancel --me
  $ while squeue --noheader | grep --quiet .; do sleep 0.5; done
  $ until sacctmgr --noheader list user "$USER" 2> /dev/null | grep --quiet "$USER"; do sleep 1; done
  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --time=5
  > sleep 290
  > END

#show

  $ sacctmgr --parsable2 show qos short format=Name,Priority,MaxWall,MaxJobsPU,MaxTRESPU
  Name|Priority|MaxWall|MaxJobsPU|MaxTRESPU
  short|100|00:30:00|2|cpu=8
  $ for name in one two three; do sbatch --quiet --job-name=$name --qos=short --partition=gpu hold.sbatch; done
  $ sleep 4
  $ squeue --sort=i --format="%.6j %.6q %.8T %R"
    NAME    QOS    STATE NODELIST(REASON)
     one  short  RUNNING gpu[12] (re)
     two  short  RUNNING gpu[12] (re)
   three  short  PENDING (QOSMaxJobsPerUserLimit)
  $ sprio --weights --format="%.10A %.10F %.10J %.10Q"
  $ sprio --format="%.6i %.8Y %.10A %.10F %.10J %.10Q"
  $ sshare --long --format=Account,User,RawShares,NormShares,RawUsage,EffectvUsage,LevelFS,FairShare
  $ scancel --me
