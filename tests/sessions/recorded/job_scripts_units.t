# recorded 2026-11-30 with slurm-wlm 22.05.8
The same two numbers in three headers.

  $ cat > half.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --time=1:30
  > hostname
  > END
  $ cat > half.pbs << 'END'
  > #!/bin/bash
  > #PBS -l walltime=1:30
  > hostname
  > END
  $ cat > half.lsf << 'END'
  > #!/bin/bash
  > #BSUB -W 1:30
  > hostname
  > END
  $ for f in half.*; do sed 's/1:30/330/' $f > bare.${f#*.}; done
  $ for file in half.sbatch half.pbs half.lsf; do workshop check $file | grep "^  time "; done
    time         2 min
    time          1 min 30 s
    time          1 h 30 min
  $ grep -h 330 bare.sbatch bare.pbs bare.lsf
  #SBATCH --time=330
  #PBS -l walltime=330
  #BSUB -W 330
  $ for file in bare.sbatch bare.pbs bare.lsf; do workshop check $file | grep "^  time "; done
    time         5 h 30 min
    time          5 min 30 s
    time          5 h 30 min
