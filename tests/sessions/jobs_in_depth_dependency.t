A job fails. What becomes of the jobs that wait for it? The program sleep of this session ends when all four have been
submitted.

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
