A heterogeneous job: one component with cores, one with GPUs.

  $ cat > het.sbatch <<'EOF'
  > #!/bin/bash
  > #SBATCH --job-name=het
  > #SBATCH --output=%x-%j.out
  > #SBATCH --time=00:05:00
  > #SBATCH --partition=cpu --ntasks=1 --cpus-per-task=4 --mem=1G
  > #SBATCH hetjob
  > #SBATCH --partition=gpu --ntasks=2 --gpus-per-node=2 --mem=1G
  > srun --label --het-group=0,1 bash -c 'echo "on $SLURMD_NODENAME, GPUs: ${CUDA_VISIBLE_DEVICES:-none}"'
  > EOF
  $ job=$(sbatch --parsable --wait het.sbatch)
  $ sort het-$job.out
  0: on cpu\d, GPUs: none (re)
  1: on gpu\d, GPUs: \d,\d (re)
  2: on gpu\d, GPUs: \d,\d (re)
