# recorded 2026-11-30 with slurm-wlm 22.05.8
A header below a command: nothing of it counts, and nobody says so.

  $ cat > lost.sbatch << 'END'
  > #!/bin/bash
  > set -e
  > #SBATCH --nodes=1
  > #SBATCH --ntasks=4
  > #SBATCH --gpus-per-node=4
  > #SBATCH --time=02:00:00
  > 
  > srun python train.py
  > END
  $ workshop check lost.sbatch
  lost.sbatch: a script for Slurm. The scheduler takes it, but it does not do what it says.
  
  Asks for 1 task on 1 node, 1 CPU a task, no GPU, for the site's default time, in the site's default partition.
  
    partition    the site decides
    nodes        1
    tasks        1
    CPUs a task  1
    CPUs in all  1
    GPUs a node  0
    GPUs in all  0
    time         the site's default
  
  Lines without effect: 3, 4, 5, 6
  
  warning line 3 [directives_after_first_command]
    sbatch stops reading directives at the first command (line 2: 'set -e'). Lines 3, 4, 5, 6 have no effect, and there is no message.
    Write: move all #SBATCH lines above line 2
    See: https://slurm.schedmd.com/sbatch.html
  0 errors, 1 warning, 0 notes. Submit with: sbatch lost.sbatch
