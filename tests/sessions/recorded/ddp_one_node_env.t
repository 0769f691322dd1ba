# recorded 2026-11-29 with torch 2.14.1
What torchrun tells each process, and what launch.py makes of it. --no-python runs any program, here bash.

  $ torchrun --standalone --nproc-per-node=2 --no-python bash -c \
  >   'echo RANK=$RANK LOCAL_RANK=$LOCAL_RANK WORLD_SIZE=$WORLD_SIZE \
  >   MASTER_ADDR=$MASTER_ADDR MASTER_PORT=$MASTER_PORT' | sort
  RANK=0 LOCAL_RANK=0 WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=39427
  RANK=1 LOCAL_RANK=1 WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=39427
