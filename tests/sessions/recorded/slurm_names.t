# recorded 2026-11-29 with slurm-wlm 22.05.8
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
  train-1-cpu1.out
  train-5474.0-0.out
  train-5474.0-1.out
  train-5474.out
  $ grep "^[01]: " train-$job.out | sort
  0: cpu1
  1: cpu1
