A job fails. What becomes of the jobs that wait for it? A person looks a moment later; this function waits until the
scheduler has decided about all three.

  $ decided() { for try in $(seq 300); do [ "$(squeue --noheader --me --name=train,plot,report,tidy --format=%r | sort -u)" = DependencyNeverSatisfied ] && break || sleep 0.5; done; }
  $ state() { for job in "$@"; do scontrol show job $job | grep -oE "(JobName|JobState|Reason)=\S+" | paste -s -d " "; done; }
#show
  $ train=$(sbatch --parsable --job-name=train --wrap="sleep 3; exit 1")
  $ plot=$(sbatch --parsable --job-name=plot --dependency=afterok:$train --wrap="true")
  $ report=$(sbatch --parsable --job-name=report --dependency=afterok:$train --kill-on-invalid-dep=yes --wrap="true")
  $ tidy=$(sbatch --parsable --job-name=tidy --dependency=afterany:$train --wrap="true")
  $ decided; state $train $plot $report $tidy
  JobName=train JobState=FAILED Reason=NonZeroExitCode
  JobName=plot JobState=PENDING Reason=DependencyNeverSatisfied
  JobName=report JobState=CANCELLED Reason=DependencyNeverSatisfied
  JobName=tidy JobState=COMPLETED Reason=None
  $ scancel $plot
