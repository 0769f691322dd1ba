# recorded 2026-11-30 with slurm-wlm 22.05.8
What would be mended, as a patch; the file stays as it is.

  $ cat > train.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name = train
  > #SBATCH –-output=%x-%j.out
  >  #SBATCH --gpus-per-node=1
  > #SBATCH --mem=64
  > #SBATCH --time=02:00:00
  > 
  > module pytorch
  > srun python train.py
  > END
  $ workshop check --diff train.sbatch 2> /dev/null
  --- train.sbatch
  +++ train.sbatch
  @@ -1,9 +1,9 @@
   #!/bin/bash
  -#SBATCH --job-name = train
  -#SBATCH –-output=%x-%j.out
  - #SBATCH --gpus-per-node=1
  +#SBATCH --job-name=train
  +#SBATCH --output=%x-%j.out
  +#SBATCH --gpus-per-node=1
   #SBATCH --mem=64
   #SBATCH --time=02:00:00
   
  -module pytorch
  +module load pytorch
   srun python train.py
