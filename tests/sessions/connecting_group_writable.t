Needs: ssh.
Typed on the practice laptop.
The right key, refused by the cluster, because others may write to the home folder there.

  $ ssh cluster chmod g+w .
  $ ssh cluster ls -ld . .ssh .ssh/authorized_keys
  ada@login.cluster.example's password: 
  drwxrwxr-x [0-9] ada physics +\d+ .* \. (re)
  drwx------ [0-9] ada physics +\d+ .* \.ssh (re)
  -rw-[r-]--[r-]-- 1 ada physics +\d+ .* \.ssh/authorized_keys (re)
  $ ssh cluster chmod go-w .
  ada@login.cluster.example's password: 
  $ ssh cluster hostname
  login1
