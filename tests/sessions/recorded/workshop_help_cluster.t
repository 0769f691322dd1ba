# recorded 2026-11-30 with slurm-wlm 22.05.8
The help of workshop cluster.

  $ workshop cluster --help
  Usage: workshop cluster [OPTIONS] COMMAND [ARGS]...
  
    A practice cluster: real Slurm on this machine, without root.
  
    Two CPU nodes (cpu1, cpu2) and two GPU nodes (gpu1, gpu2 with four v100
    each, which Slurm hands out although no device is behind them). It lives in
    one folder: $WORKSHOP_CLUSTER_DIR, by default
    ~/.local/state/workshop/cluster.
  
  Options:
    -h, --help  Show this message and exit.
  
  Commands:
    down    Stop the cluster and its jobs, and remove its files except the...
    env     Print what points a shell at the cluster: eval "$(workshop...
    shell   Open a shell on the cluster's login node, or run one COMMAND...
    status  Say what runs and what does not.
    up      Start the cluster, or what is missing of it.
