# recorded 2026-11-29 without a scheduler
A transfer that is interrupted when a part has arrived: without --partial nothing is left, with it the next try goes
on.

  $ head --bytes=20M /dev/urandom > data.tar && mkdir lost kept
  $ timeout --signal=INT 4 rsync --bwlimit=2M data.tar lost/ 2>&1 | grep --max-count=1 SIGINT
  rsync error: received SIGINT, SIGTERM, or SIGHUP (code 20) at rsync.c(874) [sender=3.5.0]
  $ ls lost
  $ timeout --signal=INT 4 rsync --bwlimit=2M --partial data.tar kept/ 2>&1 | grep --max-count=1 SIGINT
  rsync error: received SIGINT, SIGTERM, or SIGHUP (code 20) at rsync.c(874) [sender=3.5.0]
  $ ls kept
  data.tar
  $ rsync --partial --no-whole-file --stats data.tar kept/ | grep " data:"
  Literal data: 12,485,952 bytes
  Matched data: 8,485,568 bytes
  $ cmp data.tar kept/data.tar && echo equal
  equal
