# recorded 2026-11-29 with slurm-wlm 22.05.8
Needs: accounting.
A job that uses three times the memory that it asked for. The practice cluster cannot confine it, but it measures.

  $ cat > hungry.py << 'END'
  > import time
  > block = bytearray(600 * 2**20)  # 600 MiB
  > time.sleep(8)
  > END
  $ job=$(sbatch --parsable --wait --mem=200M --wrap="python3 hungry.py")
  $ seff $job | tail -n 2
  Memory Utilized: 612.16 MB
  Memory Efficiency: 306.08% of 200.00 MB
