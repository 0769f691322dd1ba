A PBS script without PBS.

  $ workshop rehearse scripts/pbs/hello.pbs
  # Rehearsal of hello.pbs as a PBS job. No scheduler takes part.
  # It asks for: 1 node, 1 task(s) a node, 2 core(s) a node, 0 GPU(s) a node, memory 500 MiB per node, walltime 0:05:00
  # It gets invented nodes on this machine: node01
  # Not imitated: .* (re)
  # Job \d+.head starts in \S+; its limit is 300 s (re)
  job:            \d+\.head (re)
  node:           \S+ (re)
  started in:     \S+ (re)
  submitted from: \S+/hpc-cluster-workshop (re)
  cores:          2
  # Job \d+.head ended: F, Exit_status = 0 after \S+ s (re)
  # Logs: \S+/hpc-cluster-workshop/hello.o\d+ (re)
