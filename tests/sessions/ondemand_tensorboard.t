TensorBoard with the prefix under which OnDemand's proxy passes requests on.

  $ mkdir runs
  $ tensorboard() { command tensorboard "$@" > tensorboard.log 2>&1 & for try in $(seq 600); do command curl -s -o up "http://localhost:$port/node/" && break || sleep 0.1; done; }
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
