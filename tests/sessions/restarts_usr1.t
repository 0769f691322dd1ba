A signal that nobody expects kills: a batch script without a trap, and a torchrun that was not told to handle it. Its
ranks live on and hold the GPUs. The functions wait until the job and the ranks run, and until torchrun has ended.

  $ . "$REPO/tests/sessions/waits.bash"
  $ printf '%s\n' '#!/bin/bash' '#SBATCH --output=%x-%j.out' 'touch started; sleep 60' > job.sbatch
  $ scancel() { wait_file started; command scancel "$@"; wait_ended --jobs=$job; }
  $ printf '%s\n' 'import os, time' 'open("rank" + os.environ["RANK"], "w").close()' 'time.sleep(600)' > idle_ranks.py
  $ kill() { wait_file rank0 rank1; command kill "$@"; wait_gone ${@: -1}; }
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
