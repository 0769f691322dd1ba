# recorded 2026-11-29 with slurm-wlm 22.05.8 and torch 2.14.1
How many cores? The machine's number, and what this process may use. The practice cluster binds nobody to its cores,
so taskset does here what the scheduler of a real cluster does.

  $ core=$(python3 -c "import os; print(min(os.sched_getaffinity(0)))")
  $ python -c "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
  2 2
  $ taskset --cpu-list $core python -c "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
  2 1
  $ taskset --cpu-list $core nproc
  1
  $ srun taskset --cpu-list $core python scripts/train/node_report.py < /dev/null | head -n 6
  host            cpu1 (x86_64), job 5245
  cores in all    2
    by affinity   1
    by quota      no limit
    by scheduler  SLURM_CPUS_ON_NODE=1
  usable cores    1
