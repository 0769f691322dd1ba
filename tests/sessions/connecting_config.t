Needs: ssh.
Typed on the practice laptop.
A name of one's own for the cluster, and what ssh makes of it.

  $ cat >> ~/.ssh/config <<'END'
  > Host cluster
  >     HostName login.cluster.example
  >     User ada
  >     IdentityFile ~/.ssh/id_ed25519
  > END
  $ ssh cluster hostname
  login1
  $ ssh -G cluster | grep -E "^(hostname|user|port|identityfile) "
  user ada
  hostname login.cluster.example
  port 22
  identityfile ~/.ssh/id_ed25519
  $ echo "lr: 0.1" > config.yml
  $ scp -q config.yml cluster:
  $ ssh cluster cat config.yml
  lr: 0.1
