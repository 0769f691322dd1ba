# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
The right key, refused by the cluster, because others may write to the home folder there.

  $ ssh cluster chmod g+w .
  $ ssh cluster ls -ld . .ssh .ssh/authorized_keys
  ada@login.cluster.example's password: 
  drwxrwxr-x 5 ada physics 4096 Nov 29 18:24 .
  drwx------ 2 ada physics 4096 Nov 29 18:24 .ssh
  -rw------- 1 ada physics   92 Nov 29 18:24 .ssh/authorized_keys
  $ ssh cluster chmod go-w .
  ada@login.cluster.example's password: 
  $ ssh cluster hostname
  login1
