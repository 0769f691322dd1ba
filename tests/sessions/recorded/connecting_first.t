# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
The first login: host key, password, and what the prompt looks like.

  $ ssh ada@login.cluster.example
  The authenticity of host 'login.cluster.example (192.0.2.11)' can't be established.
  ED25519 key fingerprint is SHA256:Wyk+AXs/bVlMTxCOsmiUlTa3lW5Ag1EasKCKFheoejI.
  This key is not known by any other names.
  Are you sure you want to continue connecting (yes/no/[fingerprint])? yes
  Warning: Permanently added 'login.cluster.example' (ED25519) to the list of known hosts.
  ada@login.cluster.example's password: 
  [ada@login1 ~]$ hostname
  login1
  [ada@login1 ~]$ exit
  logout
  Connection to login.cluster.example closed.
