# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
A signal that nobody expects kills: a batch script without a trap, and a torchrun that was not told to handle it. Its
ranks live on and hold the GPUs.

  $ cat > job.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > touch started; sleep 60
  > END
  $ cat > idle_ranks.py << 'END'
  > import os, time
  > open("rank" + os.environ["RANK"], "w").close()
  > time.sleep(600)
  > END
  $ job=$(sbatch --parsable job.sbatch)
  $ ls started
  started
  $ scancel --batch --signal=USR1 $job
  $ scontrol show job $job | grep -oE "(JobState|ExitCode)=\S+"
  JobState=FAILED
  ExitCode=0:10
  $ torchrun --standalone --nproc-per-node=2 idle_ranks.py & disown
  $ ls rank0 rank1
  rank0
  rank1
  $ kill -USR1 $!
  $ ps --no-headers -C torchrun,python,python3,pt_main_thread -o args | grep -o "idle_ranks.py"
  idle_ranks.py
  idle_ranks.py
  $ pkill --full idle_ranks.py
