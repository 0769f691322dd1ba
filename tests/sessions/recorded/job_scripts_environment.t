# recorded 2026-11-30 with slurm-wlm 22.05.8
An option on the command line beats a variable, which beats the script. Nothing is submitted: --test-only.

  $ cat > quick.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --partition=cpu
  > #SBATCH --time=00:05:00
  > 
  > hostname
  > END
  $ sbatch --test-only quick.sbatch
  sbatch: Job 7711 to start at 2026-11-30T00:02:05 using 1 processors on nodes cpu1 in partition cpu
  $ export SBATCH_PARTITION=gpu
  $ sbatch --test-only quick.sbatch
  sbatch: Job 7712 to start at 2026-11-30T00:02:05 using 1 processors on nodes gpu1 in partition gpu
  $ sbatch --test-only --partition=cpu quick.sbatch
  sbatch: Job 7713 to start at 2026-11-30T00:02:05 using 1 processors on nodes cpu1 in partition cpu
  $ workshop check quick.sbatch | grep -A 2 "^note"
  note whole file [environment_beats_script]
    Your shell has SBATCH_PARTITION: sbatch takes these before the #SBATCH lines.
    Write: unset SBATCH_PARTITION
  $ unset SBATCH_PARTITION
