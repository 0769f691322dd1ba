# recorded 2026-11-28 with slurm-wlm 22.05.8
A signal that nobody expects kills: a batch script without a trap, and a torchrun that was not told to handle it. Its
ranks live on and hold the GPUs. The functions wait until the job and the ranks run.

  $ printf '%s\n' '#!/bin/bash' '#SBATCH --output=%x-%j.out' 'sleep 60' > job.sbatch
  $ running() { for try in $(seq 300); do command squeue --noheader --jobs=$job --states=R | grep -q . && break || sleep 0.2; done; sleep 1; }
  $ ended() { for try in $(seq 300); do command squeue --noheader --jobs=$job | grep -q . && sleep 0.2 || break; done; }
  $ scancel() { running; command scancel "$@"; ended; }
  $ printf '%s\n' 'import os, time' 'open("rank" + os.environ["RANK"], "w").close()' 'time.sleep(600)' > idle_ranks.py
  $ kill() { for try in $(seq 900); do [ -e rank0 ] && [ -e rank1 ] && break || sleep 0.2; done; command kill "$@"; sleep 1; }
#show
  $ job=$(sbatch --parsable job.sbatch)
  $ scancel --batch --signal=USR1 $job
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
  JobState=FAILED
  ExitCode=0:10
  $ torchrun --standalone --nproc-per-node=2 idle_ranks.py & disown
  $ kill -USR1 $!
  $ ps --no-headers -C torchrun,python,python3,pt_main_thread -o args | grep -o "idle_ranks.py"
  idle_ranks.py
  idle_ranks.py
  $ pkill --full idle_ranks.py
