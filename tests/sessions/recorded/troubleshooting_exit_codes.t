# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
One job whose programs end in five ways. Bash says how, and goes on, because the script has no set -e.

  $ touch train.py
  $ cat > ends.sbatch <<'END'
  > #!/bin/bash
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=5
  > ulimit -c 0
  > end() { python3 -c "import os; os.kill(os.getpid(), $1)"; }
  > ./train.py;   echo "exit code $?"
  > torchrunn;    echo "exit code $?"
  > (end 9);      echo "exit code $?"
  > (end 11);     echo "exit code $?"
  > (end 15);     echo "exit code $?"
  > END
  $ job=$(sbatch --parsable --wait ends.sbatch)
  $ sed -E 's|^/.*slurm_script|slurm_script|; s/ {4,}python.*//' ends.sbatch-$job.out
  slurm_script: line 6: ./train.py: Permission denied
  exit code 126
  slurm_script: line 7: torchrunn: command not found
  exit code 127
  slurm_script: line 5: 19446 Killed
  exit code 137
  slurm_script: line 5: 19619 Segmentation fault
  exit code 139
  Terminated
  exit code 143
