An admin has taken one node out of service.

  $ scontrol update nodename=cpu2 state=drain reason="broken disk"
  $ sinfo --partition=cpu
  PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
  cpu*         up 1-00:00:00      1  drain cpu2
  cpu*         up 1-00:00:00      1   idle cpu1
  $ sinfo --list-reasons --format="%N %E"
  NODELIST REASON
  cpu2 broken disk
  $ scontrol update nodename=cpu2 state=resume
