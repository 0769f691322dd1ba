# recorded 2026-11-27 with slurm-wlm 22.05.8
Needs: accounting.
A job that uses three times the memory that it asked for. The practice cluster cannot confine it, but it measures.
The record is complete some seconds after the end: this function waits for it.

  $ cat > hungry.py << 'END'
  > import time
  > block = bytearray(600 * 2**20)  # 600 MiB
  > time.sleep(8)
  > END
  $ seff() { for try in $(seq 300); do command seff "$1" | grep --quiet "State: COMPLETED" && break || sleep 0.5; done; command seff "$1"; }
#show
  $ cat hungry.py
  import time
  block = bytearray(600 * 2**20)  # 600 MiB
  time.sleep(8)
  $ job=$(sbatch --parsable --wait --mem=200M --wrap="python3 hungry.py")
  $ seff $job | tail -n 2
  Memory Utilized: 611.97 MB
  Memory Efficiency: 305.98% of 200.00 MB
