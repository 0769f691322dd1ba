How many cores? The machine's number, and what this process may use. The practice cluster binds nobody to its cores,
so taskset does here what the scheduler of a real cluster does.

  $ core=$(python3 -c "import os; print(min(os.sched_getaffinity(0)))")
  $ python -c "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
  \d+ \d+ (re)
  $ taskset --cpu-list $core python -c "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
  \d+ 1 (re)
  $ taskset --cpu-list $core nproc
  1
  $ srun taskset --cpu-list $core python scripts/train/node_report.py < /dev/null | head -n 6
  host            cpu\d \(\w+\), job \d+ (re)
  cores in all    \d+ (re)
    by affinity   1
    by quota      (no limit|[\d.]+) (re)
    by scheduler  SLURM_CPUS_ON_NODE=1
  usable cores    1
