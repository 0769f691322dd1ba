# recorded 2026-11-28 with slurm-wlm 22.05.8
Submit a job that would run for ten minutes, watch it, cancel it. A person takes a moment between two commands and
sees the job run; a script is faster, so these functions wait until the scheduler has done what it was asked.

  $ settle() { for try in $(seq 150); do command squeue --me --noheader --states="$1" | grep -q . && sleep 0.2 || break; done; }
  $ squeue() { settle PD,CF,CG; command squeue "$@"; }
  $ scancel() { command scancel "$@" && settle R,CG; }
#show
  $ job=$(sbatch --parsable --job-name=nap --wrap="sleep 600")
  $ squeue --me
               JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                5330       cpu      nap      ada  R       0:00      1 cpu1
  $ scancel $job
  $ scontrol show job $job | grep JobState
     JobState=CANCELLED Reason=None Dependency=(null)
