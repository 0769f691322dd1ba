# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
One job that is larger than a limit on what a user may have at a time: it never starts.

  $ sacctmgr --immediate add qos tiny MaxTRESPerUser=cpu=2 > /dev/null
  $ sacctmgr --immediate modify user name=$(id -un) account=course set qos+=tiny > /dev/null
  $ sacctmgr --parsable2 show qos tiny format=Name,MaxTRESPerUser,Flags
  Name|MaxTRESPU|Flags
  tiny|cpu=2|
  $ sbatch --quiet --qos=tiny --cpus-per-task=4 --job-name=large --output=/dev/null --wrap="sleep 5"
  $ squeue --me --format="%.8j %.3C %.8T %R"
      NAME CPU    STATE NODELIST(REASON)
     large   4  PENDING (QOSMaxCpuPerUserLimit)
  $ scancel --me
  $ sacctmgr --immediate delete qos tiny > /dev/null
