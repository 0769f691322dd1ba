# recorded 2026-11-29 with slurm-wlm 22.05.8
Four files in one call: one in order, one with an error, one that submits a job itself, one for Grid Engine.

  $ mkdir jobs
  $ cat > jobs/ready.sh << 'END'
  > #!/bin/bash
  > #SBATCH --ntasks=1
  > #SBATCH --time=01:00:00
  > 
  > python train.py
  > END
  $ cat > jobs/refused.sh << 'END'
  > #!/bin/bash
  > #SBATCH --time=1h
  > 
  > python train.py
  > END
  $ cat > jobs/other.sh << 'END'
  > #!/bin/bash
  > #$ -pe smp 8
  > #$ -l h_rt=01:00:00
  > python train.py
  > END
  $ cat > jobs/sweep.sh << 'END'
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
  $ workshop check jobs/*.sh > report.txt; echo "exit status $?"
  exit status 1
  $ grep -E "^jobs/|^(error|warning)" report.txt
  jobs/other.sh: a script for Grid Engine. Nothing is claimed about it.
  error line 2 [other_batch_system]
  jobs/ready.sh: a script for Slurm. The scheduler takes it, and it does what it says.
  jobs/refused.sh: a script for Slurm. The scheduler refuses it.
  error line 2 [bad_time]
  jobs/sweep.sh: to be run; it submits a job to Slurm (line 3). The scheduler takes it, and it does what it says.
