# recorded 2026-11-30 with slurm-wlm 22.05.8 and torch 2.14.1
A launch on two nodes with three faults, none of them in the header.

  $ cat > two.sbatch << 'END'
  > #!/bin/bash
  > #SBATCH --job-name=train
  > #SBATCH --output=%x-%j.out
  > #SBATCH --nodes=2
  > #SBATCH --ntasks-per-node=1
  > #SBATCH --gpus-per-node=4
  > #SBATCH --cpus-per-task=16
  > #SBATCH --time=02:00:00
  > 
  > master=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
  > torchrun --nnodes=2 --nproc-per-node=2 --rdzv-backend=c10d \
  >     --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$master:29500" train.py
  > END
  $ workshop check two.sbatch | sed -n '/^warning/,$p' | grep -v "See:"
  warning line 12 [fixed_port_on_shared_node]
    The port 29500 is the same for everyone who uses these lines: two jobs on one node collide (EADDRINUSE), or join each other.
    Write: one node: torchrun --standalone; else a port from the job id: $((20000 + SLURM_JOB_ID % 10000))
  warning line 12 [launcher_leaves_gpus_idle]
    torchrun starts 2 processes on a node with 4 GPUs: 2 of them stay idle.
    Write: --nproc-per-node=4, or ask for 2 GPUs
  warning line 12 [no_launcher_in_multi_task_job]
    torchrun starts on the first of 2 nodes only: nothing starts it on the others, so the rendezvous waits until it times out.
    Write: srun --ntasks-per-node=1 torchrun …
  0 errors, 3 warnings, 0 notes. Submit with: sbatch two.sbatch
