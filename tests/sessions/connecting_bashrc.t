Needs: ssh.
A greeting in .bashrc on the cluster, and what it does to copies.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; echo "lr: 0.1" > config.yml
  $ scp() { command scp "$@" 2>&1 | sed -u 's|\r||'; return "${PIPESTATUS[0]}"; }
#show
  $ ssh cluster 'echo "echo Hello, Ada" >> ~/.bashrc'
  $ scp config.yml cluster:
  scp: Received message too long 1214606444
  scp: Ensure the remote shell produces no output for non-interactive sessions.
  [255]
  $ rsync config.yml cluster:
  protocol version mismatch -- is your shell clean?
  (see the rsync manpage for an explanation)
  rsync error: protocol incompatibility \(code 2\) at compat.c\(\d+\) \[sender=\S+\] (re)
  [2]
  $ ssh cluster 'sed -i "1i [[ \$- == *i* ]] || return" ~/.bashrc; cat ~/.bashrc'
  Hello, Ada
  [[ $- == *i* ]] || return
  echo Hello, Ada
  $ scp config.yml cluster:
  $ rsync config.yml cluster:
