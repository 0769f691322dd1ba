# recorded 2026-11-29 with slurm-wlm 22.05.8
A job that submits a job hands its own SLURM_ variables on.

  $ cat > inner.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --mem-per-cpu=200M
  > srun echo "the inner job runs"
  > END
  $ cat > outer.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --output=%x.out
  > #SBATCH --mem=500M
  > sbatch --wait --job-name=inherits inner.sbatch
  > for name in ${!SLURM_*} ${!SBATCH_*}; do
  >     [[ $name == SLURM_CONF ]] || unset "$name"
  > done
  > sbatch --wait --job-name=clean inner.sbatch
  > EOF
  $ sbatch --wait outer.sbatch
  Submitted batch job 5484
  $ cat inherits.out
  srun: fatal: SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive.
  $ cat clean.out
  the inner job runs
