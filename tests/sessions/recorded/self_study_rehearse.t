# recorded 2026-11-29 without a scheduler
A PBS script without PBS.

  $ workshop rehearse scripts/pbs/hello.pbs
  # Rehearsal of hello.pbs as a PBS job. No scheduler takes part.
  # It asks for: 1 node, 1 task(s) a node, 2 core(s) a node, 0 GPU(s) a node, memory 500 MiB per node, walltime 0:05:00
  # It gets invented nodes on this machine: node01
  # Not imitated: queueing and priority, memory limits, binding to cores, isolation from other users, prologue and epilogue, your login files (.bash_profile), which PBS runs first.
  # Job 10001.head starts in ~; its limit is 300 s
  job:            10001.head
  node:           node01
  started in:     ~
  submitted from: ~/hpc-cluster-workshop
  cores:          2
  # Job 10001.head ended: F, Exit_status = 0 after 0.0 s
  # Logs: ~/hpc-cluster-workshop/hello.o10001
