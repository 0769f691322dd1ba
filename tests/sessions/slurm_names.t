File names: of the job, of each step, of each task. The folder is empty but for the script.

  $ cat > names.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --job-name=train
  > #SBATCH --output=%x-%j.out
  > #SBATCH --ntasks=2
  > srun --output=%x-%J-%t.out hostname
  > srun --output=%x-%s-%N.out hostname
  > srun --label hostname
  > EOF
  $ job=$(sbatch --parsable --wait names.sbatch)
  $ ls train-*.out
  train-1-cpu\d.out (re)
  train-\d+.0-0.out (re)
  train-\d+.0-1.out (re)
  train-\d+.out (re)
  $ grep "^[01]: " train-$job.out | sort
  0: \S+ (re)
  1: \S+ (re)
