# recorded 2026-11-28 without a scheduler
TensorBoard with the prefix under which OnDemand's proxy passes requests on.

  $ . "$REPO/tests/sessions/waits.bash"
  $ mkdir runs
  $ unset RANDOM; RANDOM=$(($(free_port) - 20000))  # the random number that gives a free port
  $ tensorboard() { command tensorboard "$@" > tensorboard.log 2>&1 & wait_until "an answer of TensorBoard" command curl -s -o up "http://localhost:$port/node/"; }
  $ curl() { command curl --silent --output page --write-out '%{http_code}\n' "$@"; }
#show
  $ host=gpu1 port=$((20000 + RANDOM))
  $ tensorboard --logdir=runs --bind_all --port=$port \
  >   --path_prefix=/node/$host/$port
  $ curl http://localhost:$port/
  404
  $ curl http://localhost:$port/node/$host/$port/
  200
  $ kill %1
