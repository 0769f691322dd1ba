A job fails. What becomes of the jobs that wait for it? A person looks a moment later; this function waits until the
scheduler has decided about all three.

  $ squeue() { for try in $(seq 300); do [ "$(command squeue --noheader --me --name=train,plot,report,tidy --format=%r | sort -u)" = DependencyNeverSatisfied ] && break || sleep 0.5; done; command squeue --name=train,plot,report,tidy "$@"; }
#show
  $ train=$(sbatch --parsable --job-name=train --wrap="sleep 3; exit 1")
  $ plot=$(sbatch --parsable --job-name=plot --dependency=afterok:$train --wrap="true")
  $ report=$(sbatch --parsable --job-name=report --dependency=afterok:$train --kill-on-invalid-dep=yes --wrap="true")
  $ tidy=$(sbatch --parsable --job-name=tidy --dependency=afterany:$train --wrap="true")
  $ squeue --me --format="%.8j %.8T %R"
      NAME    STATE NODELIST(REASON)
      plot  PENDING (DependencyNeverSatisfied)
  $ for job in $train $report $tidy; do
  >   scontrol show job $job | grep -oE "Job(Name|State)=\S+" | paste -s -d " "
  > done
  JobName=train JobState=FAILED
  JobName=report JobState=CANCELLED
  JobName=tidy JobState=COMPLETED
  $ scancel $plot
