# recorded 2026-11-29 with slurm-wlm 22.05.8
The environment of the submission reaches the job, unless --export says otherwise.

  $ cat > five.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=00:05:00
  > echo "RATE=$RATE NOTE=$NOTE"
  > END
  $ export RATE=0.01
  $ job=$(sbatch --parsable --wait --export=ALL,NOTE=first five.sbatch)
  $ cat five.sbatch-$job.out
  RATE=0.01 NOTE=first
  $ job=$(sbatch --parsable --wait --export=NONE five.sbatch)
  $ cat five.sbatch-$job.out
  RATE= NOTE=
