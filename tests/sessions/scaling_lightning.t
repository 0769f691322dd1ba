Lightning wants the tasks of a node, not the tasks of the job.

  $ srun --partition=gpu --ntasks=2 .venv/bin/python scripts/train/with_lightning.py --devices 2 2>&1 |
  >   grep "^RuntimeError" | sort --unique | fold -s -w 76
  RuntimeError: You set `--ntasks=2` in your SLURM bash script, but this\s (re)
  variable is not supported. HINT: Use `--ntasks-per-node=2` instead.
