# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
One connection for all: the second ssh, and scp, ask for nothing.

  $ cat >> ~/.ssh/config <<'END'
  > 
  > Host cluster
  >     ControlMaster auto
  >     ControlPath ~/.ssh/cm-%C
  >     ControlPersist 10m
  > END
  $ ssh -o PubkeyAuthentication=no cluster hostname
  ada@login.cluster.example's password: 
  login1
  $ ssh cluster hostname
  login1
  $ echo hello > notes.txt
  $ scp -q notes.txt cluster:
  $ ssh -O check cluster
  Master running (pid=182)
  $ ssh -O exit cluster
  Exit request sent.
  $ sed -i '/Control/d' ~/.ssh/config
