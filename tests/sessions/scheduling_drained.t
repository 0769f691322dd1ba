All nodes of a partition are out of service. They are given back when this session ends. A function waits until the
scheduler has looked at the job.

  $ . "$REPO/tests/sessions/waits.bash"
  $ wait_idle gpu1 gpu2
  $ trap 'command scancel --me; scontrol update nodename=gpu1,gpu2 state=resume' EXIT
  $ scontrol update nodename=gpu1,gpu2 state=drain reason="new switch"
  $ squeue() { wait_squeue "PENDING .Nodes required.*" "%T %R" --me; command squeue "$@"; }
#show
  $ sbatch --quiet --partition=gpu --gpus-per-node=1 --output=/dev/null --wrap="hostname"
  $ squeue --me --format="%T %R"
  STATE NODELIST(REASON)
  PENDING (Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)
  $ sinfo --partition=gpu --list-reasons --format="%N %E"
  NODELIST REASON
  gpu[1-2] new switch
