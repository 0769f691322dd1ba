# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
A greeting in .bashrc on the cluster, and what it does to copies.

  $ ssh cluster 'echo "echo Hello, Ada" >> ~/.bashrc'
  $ scp -q config.yml cluster:
  scp: Received message too long 1214606444
  scp: Ensure the remote shell produces no output for non-interactive sessions.
  [255]
  $ rsync config.yml cluster:
  protocol version mismatch -- is your shell clean?
  (see the rsync manpage for an explanation)
  rsync error: protocol incompatibility (code 2) at compat.c(625) [sender=3.5.0]
  [2]
  $ ssh cluster 'sed -i "1i [[ \$- == *i* ]] || return" ~/.bashrc; cat ~/.bashrc'
  Hello, Ada
  [[ $- == *i* ]] || return
  echo Hello, Ada
  $ scp -q config.yml cluster:
  $ rsync config.yml cluster:
