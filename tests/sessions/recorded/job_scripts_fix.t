# recorded 2026-11-30 with slurm-wlm 22.05.8
The edits of the patch written into the file; the old text is kept.

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
  $ workshop check --fix --in-place train.sbatch
  train.sbatch: 4 findings mended, 1 left.
  mended line 2 [spaces_around_equals] #SBATCH --job-name=train
  mended line 3 [non_ascii_dash] #SBATCH --output=%x-%j.out
  mended line 4 [indented_directive] #SBATCH --gpus-per-node=1
  mended line 8 [module_line_without_command] module load pytorch
  left line 5 [mem_unit_default_megabytes]
    --mem=64 has no unit: it means 64 MB, too little even to import PyTorch.
    Decide: --mem=64G
  $ ls train.sbatch*
  train.sbatch
  train.sbatch.orig
  $ head -n 5 train.sbatch
  #!/bin/bash
  #SBATCH --job-name=train
  #SBATCH --output=%x-%j.out
  #SBATCH --gpus-per-node=1
  #SBATCH --mem=64
