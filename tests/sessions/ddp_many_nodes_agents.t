One torchrun for each GPU instead of one for each node. The lines are sorted: all ranks print at once.

  $ srun --quiet --nodes=2 --ntasks-per-node=2 torchrun --nnodes=2 --nproc-per-node=2 --rdzv-backend=c10d \
  >   --rdzv-id=agents --rdzv-endpoint=cpu1:24100 scripts/train/launch.py > agents.log 2>&1
  [1]
  $ grep -o -E "launch: I saw.*|That means: each.*|What to do: one.*python …" agents.log | sort --unique
  That means: each torchrun starts all processes of the node, so they take each other's devices and places.
  What to do: one task a node with torchrun (--ntasks-per-node=1), or no torchrun: srun python …
  launch: I saw 2 torchruns on this node (srun or mpirun started 2 tasks a node).
