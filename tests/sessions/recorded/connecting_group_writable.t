# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
The right key, refused by the cluster, because others may write to the home folder there.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; chmod g+w "$PRACTICE_SSH/cluster"
  $ ssh() { typed "password: " correct-horse -- ssh "$@"; }
#show
  $ ssh cluster ls -ld . .ssh .ssh/authorized_keys
  ada@login.cluster.example's password: 
  drwxrwxr-x 3 ada physics 4096 Nov 28 02:48 .
  drwx------ 2 ada physics 4096 Nov 28 02:48 .ssh
  -rw-r--r-- 1 ada physics  180 Nov 28 02:48 .ssh/authorized_keys
  $ ssh cluster chmod go-w .
  ada@login.cluster.example's password: 
  $ ssh cluster hostname
  login1
