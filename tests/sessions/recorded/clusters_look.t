# recorded 2026-11-29 without a scheduler
The size of the machine that one is logged in to.

  $ lscpu | grep -E "^(CPU\(s\)|Thread|Core|Socket|NUMA node\(s\))"
  CPU(s):                                  2
  Thread(s) per core:                      1
  Core(s) per socket:                      2
  Socket(s):                               1
  NUMA node(s):                            1
  $ free --human | head -n 2
                 total        used        free      shared  buff/cache   available
  Mem:            23Gi       2.7Gi        11Gi       8.9Mi       9.8Gi        20Gi
  $ df --human-readable --print-type /tmp
  Filesystem     Type  Size  Used Avail Use% Mounted on
  /dev/vda       ext4  252G   52G   50G  51% /
