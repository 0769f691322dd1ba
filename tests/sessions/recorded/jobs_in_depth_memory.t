# recorded 2026-11-27 with slurm-wlm 22.05.8
Needs: accounting.
A job that uses three times the memory that it asked for. The practice cluster cannot confine it, but it measures.
The record is complete some seconds after the end: this function waits for it.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > hungry.py << 'END'
  > import time
  > block = bytearray(600 * 2**20)  # 600 MiB
  > time.sleep(8)
  > END
  $ complete() { command seff $job | grep --quiet "State: COMPLETED"; }
  $ seff() { wait_until "a complete record of job $1" complete; command seff "$1"; }
#show
  $ cat hungry.py
  import time
  block = bytearray(600 * 2**20)  # 600 MiB
  time.sleep(8)
  $ job=$(sbatch --parsable --wait --mem=200M --wrap="python3 hungry.py")
  $ seff $job | tail -n 2
  Memory Utilized: 611.97 MB
  Memory Efficiency: 305.98% of 200.00 MB
