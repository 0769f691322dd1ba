A transfer that is interrupted after two seconds: without --partial nothing is left, with it the next try goes on.

  $ head --bytes=20M /dev/urandom > data.tar && mkdir lost kept
  $ interrupted() { timeout --signal=INT 2 "$@" 2>&1 | grep --max-count=1 error | sed 's| (.*||'; }
#show
  $ interrupted rsync --bwlimit=2M data.tar lost/
  rsync error: received SIGINT, SIGTERM, or SIGHUP
  $ ls lost
  $ interrupted rsync --bwlimit=2M --partial data.tar kept/
  rsync error: received SIGINT, SIGTERM, or SIGHUP
  $ ls kept
  data.tar
  $ rsync --partial --no-whole-file --stats data.tar kept/ | grep " data:"
  Literal data: [\d,]+ bytes (re)
  Matched data: [\d,]+ bytes (re)
  $ cmp data.tar kept/data.tar && echo equal
  equal
