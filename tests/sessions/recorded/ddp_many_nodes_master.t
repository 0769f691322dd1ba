# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
A master that does not exist, and one that no torchrun of the job runs on. The waits are shortened from 60 to 2
seconds.

  $ srun --quiet --nodes=2 --ntasks-per-node=1 torchrun --nnodes=2 --rdzv-backend=c10d --rdzv-id=master \
  >   --rdzv-endpoint=cpu9:24300 --rdzv-conf=read_timeout=2 scripts/train/launch.py 2>&1 |
  >   grep -o -E "The IPv6 network.*|torch.*Error: .*" | sort --unique
  The IPv6 network addresses of (cpu9, 24300) cannot be retrieved (gai error: -2 - Name or service not known).
  torch.distributed.DistNetworkError: The client socket has timed out after 2000ms while trying to connect to (cpu9, 24300).
  torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.
  $ srun --quiet --nodes=2 --ntasks-per-node=1 torchrun --nnodes=2 --rdzv-backend=c10d --rdzv-id=master \
  >   --rdzv-endpoint=gpu1:24300 --rdzv-conf=read_timeout=2 scripts/train/launch.py 2>&1 |
  >   grep -o -E "The IPv6 network.*|torch.*Error: .*" | sort --unique
  torch.distributed.DistNetworkError: The client socket has timed out after 2000ms while trying to connect to (gpu1, 24300).
  torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.
