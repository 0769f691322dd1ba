A script of the course, in order.

  $ workshop check scripts/slurm/ddp_multi_node.sbatch
  scripts/slurm/ddp_multi_node.sbatch: a script for Slurm. The scheduler takes it, and it does what it says.
  
  Asks for 2 tasks on 2 nodes, 4 CPUs a task, 2 GPUs a node (4 in all), 8 GB on each node, for at most 15 min, in partition gpu.
  
    job name      ddp_multi_node
    partition     gpu
    nodes         2
    tasks         2
    tasks a node  1
    CPUs a task   4
    CPUs in all   8
    GPUs a node   2
    GPUs in all   4
    memory        8 GB on each node
    time          15 min
    log           %x-%j.out
  
  0 errors, 0 warnings, 0 notes. Submit with: sbatch scripts/slurm/ddp_multi_node.sbatch
