# recorded 2026-11-29 without a scheduler
TensorBoard with the prefix under which OnDemand's proxy passes requests on.

  $ mkdir --parents runs
  $ host=gpu1 port=$((20000 + RANDOM % 10000))
  $ tensorboard --logdir=runs --bind_all --port=$port \
  >   --path_prefix=/node/$host/$port > tensorboard.log 2>&1 &
  $ curl --silent --output /dev/null --write-out '%{http_code}\n' http://localhost:$port/
  404
  $ curl --silent --output /dev/null --write-out '%{http_code}\n' http://localhost:$port/node/$host/$port/
  200
  $ kill $!
