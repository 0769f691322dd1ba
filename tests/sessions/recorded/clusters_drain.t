# recorded 2026-11-28 with slurm-wlm 22.05.8
An admin has taken one node out of service. It is given back when this session ends.

  $ . "$REPO/tests/sessions/waits.bash"
  $ wait_idle cpu1 cpu2
  $ trap 'scontrol update nodename=cpu2 state=resume' EXIT
  $ scontrol update nodename=cpu2 state=drain reason="broken disk"
#show
  $ sinfo --partition=cpu
  PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
  cpu*         up 1-00:00:00      1  drain cpu2
  cpu*         up 1-00:00:00      1   idle cpu1
  $ sinfo --list-reasons --format="%N %E"
  NODELIST REASON
  cpu2 broken disk
