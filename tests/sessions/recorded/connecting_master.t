# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
One connection for all: the second ssh, and scp, ask for nothing.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; rm ~/.ssh/id_ed25519*; echo hello > notes.txt
  $ ssh() { case "$*" in *-O*) command ssh "$@" 2>&1 | sed -u "s|\r||" ;; *) typed "password: " correct-horse -- ssh "$@" ;; esac; }
#show
  $ cat >> ~/.ssh/config <<'END'
  >     ControlMaster auto
  >     ControlPath ~/.ssh/cm-%C
  >     ControlPersist 10m
  > END
  $ ssh cluster hostname
  ada@login.cluster.example's password: 
  login1
  $ ssh cluster hostname
  login1
  $ scp notes.txt cluster:
  $ ssh -O check cluster
  Master running (pid=20)
  $ ssh -O exit cluster
  Exit request sent.
