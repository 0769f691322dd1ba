# recorded 2026-11-29 with torch 2.14.1
Two jobs of one node that both want port 29500. The first one holds it until the file `stop` is there.

  $ cat > train.py <<'EOF'
  > import pathlib, sys, time
  > import torch.distributed as dist
  > dist.init_process_group("gloo")
  > sys.stdout.write(f"rank {dist.get_rank()} of {dist.get_world_size()}\n")
  > while "wait" in sys.argv and not pathlib.Path("stop").exists():
  >     time.sleep(0.2)
  > dist.barrier()  # nobody leaves while another one still connects
  > dist.destroy_process_group()
  > EOF
  $ torchrun --nproc-per-node=2 --master-port=29500 train.py wait > first.log 2>&1 &
  $ grep rank first.log | sort
  rank 0 of 2
  rank 1 of 2
  $ torchrun --nproc-per-node=2 --master-port=29500 train.py 2>&1 | grep EADDRINUSE | fold -s -w 72
  torch.distributed.DistNetworkError: The server socket has failed to 
  listen on any local network address. port: 29500, useIpv6: false, code: 
  -98, name: EADDRINUSE, message: address already in use
  $ torchrun --nproc-per-node=2 --standalone train.py | sort
  rank 0 of 2
  rank 1 of 2
  $ touch stop; wait
