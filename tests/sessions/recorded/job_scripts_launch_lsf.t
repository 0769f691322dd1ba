# recorded 2026-11-30 with torch 2.14.1
An LSF script whose mpirun starts one torchrun for each slot.

  $ cat > two.lsf << 'END'
  > #!/bin/bash
  > #BSUB -J train
  > #BSUB -o train-%J.out
  > #BSUB -n 16
  > #BSUB -R "span[ptile=8]"
  > #BSUB -gpu "num=4"
  > #BSUB -R "rusage[mem=64GB/host]"
  > #BSUB -W 2:00
  > 
  > master=$(head -n 1 "$LSB_DJOB_HOSTFILE")
  > port=$((20000 + LSB_JOBID % 10000))
  > mpirun torchrun --nnodes=2 --nproc-per-node=4 --rdzv-backend=c10d \
  >     --rdzv-id="$LSB_JOBID" --rdzv-endpoint="$master:$port" train.py
  > END
  $ workshop check two.lsf | sed -n '/^warning/,$p' | grep -v "See:"
  warning line 13 [torchrun_needs_one_task_per_node]
    mpirun starts torchrun 8 times on each node, and each of them starts all local processes: they fight for GPUs and for the rendezvous.
    Write: one torchrun a host, or mpirun python without it
  0 errors, 1 warning, 1 note. Submit with: bsub < two.lsf
