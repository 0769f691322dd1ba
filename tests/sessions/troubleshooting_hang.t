Two ranks that hang, and where each of them stands. The signal waits until both have come to a stop.

  $ . "$REPO/tests/sessions/waits.bash"; clone_here
  $ cat > hang.py << 'END'
  > import faulthandler, signal, sys
  > import torch
  > import torch.distributed as dist
  > sys.path.append("scripts/train")
  > import launch
  > faulthandler.register(signal.SIGUSR1, all_threads=False)
  > me, device = launch.init()
  > loss = torch.ones(1)
  > print("joined", flush=True)
  > if me.rank == 0:
  >     dist.all_reduce(loss)
  >     print("loss:", loss.item())
  > dist.barrier()
  > END
  $ scancel() {
  >     case $1 in
  >         --signal=*) wait_lines 2 joined hang.log; wait_stopped 2 "^[^ ]*python hang[.]py"; command scancel "$@"; wait_lines 2 'hang.py", line' hang.log ;;
  >         *) command scancel "$@"; wait_ended --name=hang ;;
  >     esac
  > }
#show
  $ cat hang.py
  import faulthandler, signal, sys
  import torch
  import torch.distributed as dist
  sys.path.append("scripts/train")
  import launch
  faulthandler.register(signal.SIGUSR1, all_threads=False)
  me, device = launch.init()
  loss = torch.ones(1)
  print("joined", flush=True)
  if me.rank == 0:
      dist.all_reduce(loss)
      print("loss:", loss.item())
  dist.barrier()
  $ sbatch --quiet --job-name=hang --output=hang.log --ntasks=2 \
  >   --wrap="srun --label python hang.py"
  $ scancel --signal=USR1 --name=hang
  $ grep 'hang.py", line' hang.log | sort
  0:   File .*hang.py", line 11 in <module> (re)
  1:   File .*hang.py", line 13 in <module> (re)
  $ scancel --name=hang
