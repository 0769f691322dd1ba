All nodes of a partition are out of service.

  $ scontrol update nodename=gpu1,gpu2 state=drain reason="new switch"
  $ sbatch --quiet --partition=gpu --gpus-per-node=1 --output=/dev/null --wrap="hostname"
  $ squeue --me --format="%T %R"
  STATE NODELIST(REASON)
  PENDING (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
  $ sinfo --partition=gpu --list-reasons --format="%N %E"
  NODELIST REASON
  gpu[1-2] new switch
  $ scancel --me
  $ scontrol update nodename=gpu1,gpu2 state=resume
