The size of the machine that one is logged in to.

  $ lscpu | grep -E "^(CPU\(s\)|Thread|Core|Socket|NUMA node\(s\))"
  CPU\(s\): +\d+ (re)
  Thread\(s\) per core: +\d+ (re)
  Core\(s\) per socket: +\d+ (re)
  Socket\(s\): +\d+ (re)
  NUMA node\(s\): +\d+ (re)
  $ free --human | head -n 2
   +total +used +free +shared +buff/cache +available (re)
  Mem: +\S+ +\S+ +\S+ +\S+ +\S+ +\S+ (re)
  $ df --human-readable --print-type /tmp
  Filesystem +Type +Size +Used +Avail +Use% Mounted on (re)
  \S+ +\S+ +\S+ +\S+ +\S+ +\d+% \S+ (re)
