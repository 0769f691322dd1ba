# recorded 2026-11-30 with slurm-wlm 22.05.8
A PBS script in the words of Slurm.

  $ cat > train.pbs << 'END'
  > #!/bin/bash
  > #PBS -N train
  > #PBS -j oe
  > #PBS -q workq
  > #PBS -l select=2:ncpus=16:mpiprocs=4:ngpus=4:mem=64gb
  > #PBS -l place=scatter
  > #PBS -l walltime=02:00:00
  > #PBS -k oed
  > 
  > set -euo pipefail
  > cd "$PBS_O_WORKDIR"
  > export MASTER_ADDR=$(head -n 1 "$PBS_NODEFILE")
  > mpiexec -n 8 python train.py --name "run-${PBS_JOBID%%.*}"
  > END
  $ workshop translate train.pbs --to slurm > train.sbatch
  NOT TRANSLATED: '-k oed': Slurm has no option that means the same
  $ cat train.sbatch
  #!/bin/bash
  #SBATCH --job-name=train
  #SBATCH --partition=workq
  #SBATCH --nodes=2
  #SBATCH --ntasks-per-node=4
  #SBATCH --cpus-per-task=4
  #SBATCH --gpus-per-node=4
  #SBATCH --mem=64G
  #SBATCH --time=02:00:00
  # NOT TRANSLATED: '-k oed': Slurm has no option that means the same
  
  set -euo pipefail
  cd "$SLURM_SUBMIT_DIR"
  export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  srun --cpus-per-task="$SLURM_CPUS_PER_TASK" python train.py --name "run-${SLURM_JOB_ID%%.*}"
