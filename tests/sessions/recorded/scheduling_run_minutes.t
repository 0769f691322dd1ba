# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
A limit on cores times remaining minutes of an account's running jobs. The practice cluster's administrator sets it for
this session and takes it back at the end. The functions wait for the scheduler.

  $ . "$REPO/tests/sessions/waits.bash"
  $ limit() { sacctmgr --immediate modify account course set GrpTRESRunMins=cpu="$1" > /dev/null; }
  $ trap 'command scancel --me; wait_ended --me; limit -1' EXIT
  $ limit 60
  $ squeue() { wait_squeue "first None,second AssocGrpCPURunMinutesLimit" "%j %r" --me; command squeue "$@"; }
#show
  $ sacctmgr --parsable2 show assoc where account=course user= format=Account,GrpTRESRunMins
  Account|GrpTRESRunMins
  course|cpu=60
  $ sbatch --quiet --job-name=first --cpus-per-task=4 --time=10 --output=/dev/null --wrap="sleep 290"
  $ sbatch --quiet --job-name=second --cpus-per-task=4 --time=10 --output=/dev/null --wrap="sleep 290"
  $ squeue --me --sort=i --format="%.8j %.3C %.10L %.8T %R"
      NAME CPU  TIME_LEFT    STATE NODELIST(REASON)
     first   4       9:59  RUNNING cpu1
    second   4      10:00  PENDING (AssocGrpCPURunMinutesLimit)
