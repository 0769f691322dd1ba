# recorded 2026-11-29 with slurm-wlm 22.05.8
Words behind the script's name arrive as its arguments; $0 is not the script that was submitted.

  $ cat > show.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=5
  > echo "rate=$1 note=$2"
  > echo "\$0 is ${0##*/}"
  > END
  $ job=$(sbatch --parsable --wait show.sbatch 0.01 "two words")
  $ cat show.sbatch-$job.out
  rate=0.01 note=two words
  $0 is slurm_script
