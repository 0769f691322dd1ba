# recorded 2026-11-28 with slurm-wlm 22.05.8
A transfer that is interrupted after two seconds: without --partial nothing is left, with it the next try goes on.

  $ head --bytes=20M /dev/urandom > data.tar && mkdir lost kept
#show
  $ timeout --signal=INT 2 rsync --bwlimit=2M data.tar lost/ 2>&1 | grep --max-count=1 error
  rsync error: received SIGINT, SIGTERM, or SIGHUP (code 20) at rsync.c(874) [sender=3.5.0]
  $ ls lost
  $ timeout --signal=INT 2 rsync --bwlimit=2M --partial data.tar kept/ 2>&1 | grep --max-count=1 error
  rsync error: received SIGINT, SIGTERM, or SIGHUP (code 20) at rsync.c(874) [sender=3.5.0]
  $ ls kept
  data.tar
  $ rsync --partial --no-whole-file --stats data.tar kept/ | grep -E "^(Literal|Matched)"
  Literal data: 16,613,920 bytes
  Matched data: 4,357,600 bytes
  $ cmp data.tar kept/data.tar && echo equal
  equal
