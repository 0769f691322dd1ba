# recorded 2026-11-30 with slurm-wlm 22.05.8
A Slurm script in the words of LSF.

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
  $ workshop translate train.sbatch --to lsf > train.lsf
  CHECK: '--signal=B:USR1@300': LSF counts minutes and signals all processes of the job
  NOT TRANSLATED: '--qos=high': LSF has no QOS; sites use queues, -sla or -app for it
  $ cat train.lsf
  #!/bin/bash
  #BSUB -J train
  #BSUB -n 16
  #BSUB -R "span[hosts=1]"
  #BSUB -gpu "num=4"
  #BSUB -R "rusage[mem=64GB/host]"
  #BSUB -W 2:00
  #BSUB -o train-%J.out
  #BSUB -wa USR1
  #BSUB -wt 5
  # CHECK: '--signal=B:USR1@300': LSF counts minutes and signals all processes of the job
  # NOT TRANSLATED: '--qos=high': LSF has no QOS; sites use queues, -sla or -app for it
  
  set -euo pipefail
  trap 'touch please_stop' USR1
  mpirun -n 4 --bind-to none python train.py --name "run-$LSB_JOBID" &
  wait
