Chunks, the node file and pbsdsh, in a rehearsal. The tasks run at the same time, hence the sort.

  $ cat > chunks.pbs <<'EOF'
  > #!/bin/bash
  > #PBS -N chunks
  > #PBS -j oe
  > #PBS -l select=1:ncpus=1+2:ncpus=4:mpiprocs=2:ngpus=2
  > #PBS -l place=scatter
  > #PBS -l walltime=00:05:00
  > 
  > sed "s/^/line of the node file: /" "$PBS_NODEFILE"
  > pbsdsh -- /bin/bash -c 'echo "task on $(hostname): PBS_NODENUM=$PBS_NODENUM, in ${PWD/$HOME/\~}"'
  > EOF
  $ workshop rehearse chunks.pbs | grep -v "^#" | sort
  line of the node file: node01
  line of the node file: node02
  line of the node file: node02
  line of the node file: node03
  line of the node file: node03
  task on node01: PBS_NODENUM=0, in ~
  task on node02: PBS_NODENUM=1, in ~
  task on node02: PBS_NODENUM=1, in ~
  task on node03: PBS_NODENUM=2, in ~
  task on node03: PBS_NODENUM=2, in ~
