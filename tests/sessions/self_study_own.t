A job of one's own: a program, a script for it, and its output.

  $ cat > mine.py << 'END'
  > import os
  > print("my own job, on", os.environ["SLURMD_NODENAME"])
  > print("its id:", os.environ["SLURM_JOB_ID"])
  > END
  $ cat > mine.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=mine
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=00:02:00
  > python mine.py
  > END
  $ workshop cluster shell sbatch --wait mine.sbatch
  Submitted batch job \d+ (re)
  $ cat mine-*.out
  my own job, on cpu\d (re)
  its id: \d+ (re)
