An option on the command line beats a variable, which beats the script. Nothing is submitted: --test-only.

  $ cat > quick.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --partition=cpu
  > #SBATCH --time=00:05:00
  > 
  > hostname
  > END
  $ sbatch --test-only quick.sbatch
  sbatch: Job \d+ to start at \S+ using 1 processors on nodes cpu[12] in partition cpu (re)
  $ export SBATCH_PARTITION=gpu
  $ sbatch --test-only quick.sbatch
  sbatch: Job \d+ to start at \S+ using 1 processors on nodes gpu[12] in partition gpu (re)
  $ sbatch --test-only --partition=cpu quick.sbatch
  sbatch: Job \d+ to start at \S+ using 1 processors on nodes cpu[12] in partition cpu (re)
  $ workshop check quick.sbatch | grep -A 2 "^note"
  note whole file [environment_beats_script]
    Your shell has SBATCH_PARTITION: sbatch takes these before the #SBATCH lines.
    Write: unset SBATCH_PARTITION
  $ unset SBATCH_PARTITION
