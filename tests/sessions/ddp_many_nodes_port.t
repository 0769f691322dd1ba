Two jobs that share a node and a port. The first one trains until the file `stop` is there.

  $ cp scripts/train/launch.py .
  $ cat > train.py <<'EOF'
  > import pathlib, sys, time
  > import torch.distributed as dist
  > dist.init_process_group("gloo")
  > sys.stdout.write(f"{sys.argv[1]}: rank {dist.get_rank()} of {dist.get_world_size()}\n")
  > for second in range(600):
  >     if sys.argv[1] == "first" and pathlib.Path("stop").exists():
  >         break
  >     time.sleep(1)
  > EOF
  $ srun --quiet --nodelist=cpu1 torchrun --nproc-per-node=2 --rdzv-backend=c10d --rdzv-endpoint=cpu1:24500 \
  >   --rdzv-id=123 train.py first < /dev/null > first.log 2>&1 &
  $ sort first.log
  first: rank 0 of 2
  first: rank 1 of 2
  $ MASTER_PORT=24500 srun --quiet --nodelist=cpu1 --ntasks=2 --kill-on-bad-exit=1 python launch.py 2>&1 |
  >   grep -A 2 "I saw that rank 0"
  launch: I saw that rank 0 cannot listen on .*:24500 .* (re)
    That means: another program has this port.
    What to do: choose another for all ranks: export MASTER_PORT=\d+ (re)
  $ srun --quiet --nodelist=cpu1 torchrun --nproc-per-node=2 --rdzv-backend=c10d --rdzv-endpoint=cpu1:24500 \
  >   --rdzv-id=456 train.py second < /dev/null > second.log 2>&1 &
  $ grep "^second" second.log | sort
  second: rank 0 of 2
  second: rank 1 of 2
  $ touch stop; wait
  $ grep -o "The connection to the C10d store.*" second.log | sort --unique
  The connection to the C10d store has failed. See inner exception for details.
