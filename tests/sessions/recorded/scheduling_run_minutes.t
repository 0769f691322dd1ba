# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
A limit on cores times remaining minutes of an account's running jobs.

  $ sacctmgr --immediate modify account course set GrpTRESRunMins=cpu=60 > /dev/null
  $ sacctmgr --parsable2 show assoc where account=course user= format=Account,GrpTRESRunMins
  Account|GrpTRESRunMins
  course|cpu=60
  $ sbatch --quiet --job-name=first --cpus-per-task=4 --time=10 --output=/dev/null --wrap="sleep 290"
  $ sbatch --quiet --job-name=second --cpus-per-task=4 --time=10 --output=/dev/null --wrap="sleep 290"
  $ squeue --me --sort=i --format="%.8j %.3C %.10L %.8T %R"
      NAME CPU  TIME_LEFT    STATE NODELIST(REASON)
     first   4       9:59  RUNNING cpu1
    second   4      10:00  PENDING (AssocGrpCPURunMinutesLimit)
  $ scancel --me
  $ sacctmgr --immediate modify account course set GrpTRESRunMins=cpu=-1 > /dev/null
