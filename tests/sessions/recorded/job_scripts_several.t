# recorded 2026-11-30 with slurm-wlm 22.05.8
Four files in one call: one in order, one with an error, one that submits a job itself, one for Grid Engine.

  $ mkdir my_jobs
  $ cat > my_jobs/ready.sh << 'END'
  > #!/bin/bash
  > #SBATCH --ntasks=1
  > #SBATCH --time=01:00:00
  > 
  > python train.py
  > END
  $ cat > my_jobs/refused.sh << 'END'
  > #!/bin/bash
  > #SBATCH --time=1h
  > 
  > python train.py
  > END
  $ cat > my_jobs/other.sh << 'END'
  > #!/bin/bash
  > #$ -pe smp 8
  > #$ -l h_rt=01:00:00
  > python train.py
  > END
  $ cat > my_jobs/sweep.sh << 'END'
  > #!/bin/bash
  > for rate in 0.1 0.01; do
  >     sbatch << EOF
  > #!/bin/bash
  > #SBATCH --job-name=rate-$rate
  > #SBATCH --time=01:00:00
  > python train.py --rate $rate
  > EOF
  > done
  > END
  $ workshop check my_jobs/*.sh > my_report.txt; echo "exit status $?"
  exit status 1
  $ grep -E "^my_jobs/|^(error|warning)" my_report.txt
  my_jobs/other.sh: a script for Grid Engine. Nothing is claimed about it.
  error line 2 [other_batch_system]
  my_jobs/ready.sh: a script for Slurm. The scheduler takes it, and it does what it says.
  my_jobs/refused.sh: a script for Slurm. The scheduler refuses it.
  error line 2 [bad_time]
  my_jobs/sweep.sh: to be run; it submits a job to Slurm (line 3). The scheduler takes it, and it does what it says.
