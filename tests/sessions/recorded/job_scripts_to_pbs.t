# recorded 2026-11-30 with slurm-wlm 22.05.8
A Slurm script in the words of PBS.

  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=train
  > #SBATCH --nodes=1
  > #SBATCH --ntasks-per-node=4
  > #SBATCH --cpus-per-task=4
  > #SBATCH --gpus-per-node=4
  > #SBATCH --mem=64G
  > #SBATCH --time=02:00:00
  > #SBATCH --qos=high
  > #SBATCH --signal=B:USR1@300
  > 
  > set -euo pipefail
  > trap 'touch please_stop' USR1
  > srun --cpus-per-task="$SLURM_CPUS_PER_TASK" python train.py --name "run-$SLURM_JOB_ID" &
  > wait
  > END
  $ workshop translate train.sbatch --to pbs > train.pbs
  NOT TRANSLATED: '--qos=high': PBS has no QOS; sites use queues for it
  NOT TRANSLATED: '--signal=B:USR1@300': PBS sends TERM at the end and KILL some seconds later: save regularly, or start a timer in the script
  $ cat train.pbs
  #!/bin/bash
  #PBS -N train
  #PBS -l select=1:ncpus=16:mpiprocs=4:ngpus=4:mem=64gb
  #PBS -l walltime=02:00:00
  #PBS -j oe
  # NOT TRANSLATED: '--qos=high': PBS has no QOS; sites use queues for it
  # NOT TRANSLATED: '--signal=B:USR1@300': PBS sends TERM at the end and KILL some seconds later: save regularly, or start a timer in the script
  
  set -euo pipefail
  cd "$PBS_O_WORKDIR"
  trap 'touch please_stop' USR1
  mpiexec -n 4 --bind-to none python train.py --name "run-$PBS_JOBID" &
  wait
