# recorded 2026-11-30 with torch 2.14.1
Each task of this PBS script asks for the name of its own host.

  $ cat > two.pbs << 'END'
  > #!/bin/bash
  > #PBS -N train
  > #PBS -l select=2:ncpus=8:ngpus=4:mem=64gb
  > #PBS -l place=scatter
  > #PBS -l walltime=02:00:00
  > 
  > port=$((20000 + ${PBS_JOBID%%[!0-9]*} % 10000))
  > pbsdsh -- bash -c "cd $PBS_O_WORKDIR
  >     torchrun --nnodes=2 --nproc-per-node=4 --rdzv-backend=c10d \
  >         --rdzv-id=$PBS_JOBID --rdzv-endpoint=\$(hostname):$port train.py"
  > END
  $ workshop check two.pbs | sed -n '/^warning/,$p' | grep -v "See:"
  warning line 10 [rendezvous_stays_on_one_node]
    $(hostname) is evaluated by each task, which gets the name of its own node: the nodes never meet, and the training waits until it times out.
    Write: the first node's name, put in by the batch shell: $(head -n 1 "$PBS_NODEFILE")
  0 errors, 1 warning, 0 notes. Submit with: qsub two.pbs
