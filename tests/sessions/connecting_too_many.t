Needs: ssh.
An agent full of keys: the right one is never reached. And a port where no server listens.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; eval "$(ssh-agent)" > /dev/null
  $ for i in 1 2 3 4 5 6 7; do ssh-keygen -q -t ed25519 -N "" -f ~/other-$i; ssh-add -q ~/other-$i; done
#show
  $ ssh-add -l | wc -l
  7
  $ ssh cluster hostname
  Received disconnect from 192.0.2.11 port 22:2: Too many authentication failures
  Disconnected from 192.0.2.11 port 22
  [255]
  $ ssh -o IdentitiesOnly=yes cluster hostname
  login1
  $ ssh -p 2222 cluster hostname
  ssh: connect to host login.cluster.example port 2222: Connection refused
  [255]
