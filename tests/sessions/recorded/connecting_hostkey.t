# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
The login node was installed anew and has another key.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; rm "$PRACTICE_SSH"/hostkey-login1*; ssh-keygen -q -t ed25519 -N "" -C login1 -f "$PRACTICE_SSH/hostkey-login1"
  $ ssh() { typed yes/no yes -- ssh "$@"; }
#show
  $ ssh cluster hostname
  @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
  @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
  @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
  IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
  Someone could be eavesdropping on you right now (man-in-the-middle attack)!
  It is also possible that a host key has just been changed.
  The fingerprint for the ED25519 key sent by the remote host is
  SHA256:QkHKhtlW6crGMt72aU9kljYsz/mCxlg+THpOmtI7mio.
  Please contact your system administrator.
  Add correct host key in /home/ada/.ssh/known_hosts to get rid of this message.
  Offending ED25519 key in /home/ada/.ssh/known_hosts:1
    remove with:
    ssh-keygen -f "/home/ada/.ssh/known_hosts" -R "login.cluster.example"
  Host key for login.cluster.example has changed and you have requested strict checking.
  Host key verification failed.
  [255]
  $ ssh-keygen -R login.cluster.example
  # Host login.cluster.example found: line 1
  /home/ada/.ssh/known_hosts updated.
  Original contents retained as /home/ada/.ssh/known_hosts.old
  $ ssh cluster hostname
  The authenticity of host 'login.cluster.example (192.0.2.11)' can't be established.
  ED25519 key fingerprint is SHA256:QkHKhtlW6crGMt72aU9kljYsz/mCxlg+THpOmtI7mio.
  This key is not known by any other names.
  Are you sure you want to continue connecting (yes/no/[fingerprint])? yes
  Warning: Permanently added 'login.cluster.example' (ED25519) to the list of known hosts.
  login1
