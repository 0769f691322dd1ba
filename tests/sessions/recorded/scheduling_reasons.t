# recorded 2026-11-29 with slurm-wlm 22.05.8
Why jobs wait: each reason made on purpose. On the practice cluster you are its administrator too. Both nodes are
busy, one job has failed.

  $ cat > hold.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=/dev/null
  > #SBATCH --exclusive
  > #SBATCH --time=5
  > sleep 290
  > END
  $ sbatch --quiet --job-name=busy --nodes=2 hold.sbatch
  $ squeue --name=busy --format="%.6j %.8T %R"
    NAME    STATE NODELIST(REASON)
    busy  RUNNING cpu[1-2]
  $ failed=$(sbatch --parsable --wait --partition=gpu --time=1 --output=/dev/null --wrap="exit 1")
  [1]
  $ train=$(sbatch --parsable --job-name=train --nodes=2 hold.sbatch)
  $ sbatch --quiet --job-name=eval --nodes=1 hold.sbatch
  $ sbatch --quiet --job-name=sweep --time=3-00:00:00 hold.sbatch
  $ sbatch --quiet --job-name=merge --dependency=afterok:"$train" hold.sbatch
  $ sbatch --quiet --job-name=report --dependency=afterok:"$failed" hold.sbatch
  $ sbatch --quiet --job-name=test --hold hold.sbatch
  $ sbatch --quiet --job-name=nightly --begin=tomorrow hold.sbatch
  $ scontrol create reservation reservationname=service starttime=now+1hour duration=2:00:00 \
  >   nodes=cpu1,cpu2 users=root flags=maint,ignore_jobs
  Reservation created: service
  $ sbatch --quiet --job-name=tune --nodes=2 --time=4:00:00 hold.sbatch
  $ squeue --states=PENDING --sort=i --format="%.8j %.10l %R"
      NAME TIME_LIMIT NODELIST(REASON)
     train       5:00 (Resources)
      eval       5:00 (Priority)
     sweep 3-00:00:00 (PartitionTimeLimit)
     merge       5:00 (Dependency)
    report       5:00 (DependencyNeverSatisfied)
      test       5:00 (JobHeldUser)
   nightly       5:00 (BeginTime)
      tune    4:00:00 (ReqNodeNotAvail, Reserved for maintenance)
  $ scontrol delete reservationname=service
  $ scancel --me
