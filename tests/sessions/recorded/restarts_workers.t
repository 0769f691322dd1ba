# recorded 2026-11-28 with torch 2.14.1
A stop signal to all processes of a training, as torchrun and schedulers send it: those that load data get it, too.

  $ cat > load.py <<'END'
  > import signal, subprocess, sys
  > import torch
  > sys.path.insert(0, "scripts/train")
  > import restart
  > signal.signal(signal.SIGTERM, lambda *_: print("rank: SIGTERM is noted", flush=True))
  > kind = restart.SparingLoader if "sparing" in sys.argv else torch.utils.data.DataLoader
  > for step, batch in enumerate(kind(range(20), 2, num_workers=2, collate_fn=list)):
  >     if step == 3:
  >         subprocess.run(["kill", "-TERM", "0"])
  > print(f"rank: all {step + 1} steps are done")
  > END
  $ setsid --wait python load.py 2>&1 | grep -oE "^(rank|RuntimeError: D).*" | head --lines=2
  rank: SIGTERM is noted
  RuntimeError: DataLoader worker (pid 16435) is killed by signal: Terminated. 
  $ setsid --wait python load.py sparing 2>&1 | grep -oE "^(rank|RuntimeError: D).*"
  rank: SIGTERM is noted
  rank: all 10 steps are done
