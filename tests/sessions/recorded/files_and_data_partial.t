# recorded 2026-11-28 without a scheduler
A transfer that is interrupted when a part has arrived: without --partial nothing is left, with it the next try goes on.

  $ . "$REPO/tests/sessions/waits.bash"
  $ head --bytes=20M /dev/urandom > data.tar && mkdir lost kept
  $ arrived() { [ -n "$(find lost kept -name ".data.tar.*" -size +1M)" ]; }
  $ interrupted() { setsid "$@" > said 2>&1 & wait_until "a part of data.tar" arrived; kill -INT -- -$!; wait $!; grep --max-count=1 "error.*SIGINT" said | sed 's| (.*||'; }
#show
  $ interrupted rsync --bwlimit=2M data.tar lost/
  rsync error: received SIGINT, SIGTERM, or SIGHUP
  $ ls lost
  $ interrupted rsync --bwlimit=2M --partial data.tar kept/
  rsync error: received SIGINT, SIGTERM, or SIGHUP
  $ ls kept
  data.tar
  $ rsync --partial --no-whole-file --stats data.tar kept/ | grep " data:"
  Literal data: 16,613,920 bytes
  Matched data: 4,357,600 bytes
  $ cmp data.tar kept/data.tar && echo equal
  equal
