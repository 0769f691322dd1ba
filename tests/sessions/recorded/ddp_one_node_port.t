# recorded 2026-11-28 with torch 2.14.1
Two jobs of one node that both want port 29500. The first one holds it until the file `stop` is there.

  $ . "$REPO/tests/sessions/waits.bash"
  $ cat > train.py <<'EOF'
  > import pathlib, sys, time
  > import torch.distributed as dist
  > dist.init_process_group("gloo")
  > sys.stdout.write(f"rank {dist.get_rank()} of {dist.get_world_size()}\n")  # one write: print makes two under torchrun
  > while "wait" in sys.argv and not pathlib.Path("stop").exists():
  >     time.sleep(0.2)
  > dist.barrier()  # nobody leaves while another one still connects
  > dist.destroy_process_group()
  > EOF
  $ trap 'touch stop; wait' EXIT
  $ torchrun --nproc-per-node=2 --master-port=29500 train.py wait > first.log 2>&1 &
  $ wait_lines 1 "rank|EADDRINUSE" first.log
#show
  $ torchrun --nproc-per-node=2 --master-port=29500 train.py 2>&1 | grep EADDRINUSE | fold -s -w 72
  torch.distributed.DistNetworkError: The server socket has failed to 
  listen on any local network address. port: 29500, useIpv6: false, code: 
  -98, name: EADDRINUSE, message: address already in use
  $ torchrun --nproc-per-node=2 --standalone train.py | sort
  rank 0 of 2
  rank 1 of 2
