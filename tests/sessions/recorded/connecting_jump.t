# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
A compute node has a name inside the cluster only: ssh goes there by way of the login node.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up
#show
  $ ssh c1 hostname
  ssh: Could not resolve hostname c1: Name or service not known
  [255]
  $ cat >> ~/.ssh/config <<'END'
  > 
  > Host c1
  >     User ada
  >     ProxyJump cluster
  > END
  $ ssh c1 hostname
  c1
