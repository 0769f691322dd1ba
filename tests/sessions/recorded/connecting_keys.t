# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
A key pair with a passphrase, taken to the cluster, and the agent that keeps it open.

  $ ssh-keygen -t ed25519
  Generating public/private ed25519 key pair.
  Enter file in which to save the key (/home/ada/.ssh/id_ed25519): 
  Enter passphrase (empty for no passphrase): 
  Enter same passphrase again: 
  Your identification has been saved in /home/ada/.ssh/id_ed25519
  Your public key has been saved in /home/ada/.ssh/id_ed25519.pub
  The key fingerprint is:
  SHA256:xTA2nfNGsdqKEV2cYGkx9vvi1cQMS02XsJeCHtJfiOk ada@laptop
  The key's randomart image is:
  +--[ED25519 256]--+
  |        =.**o+. +|
  |       . OB+B.o+o|
  |        .o+Xo+o+.|
  |         o+o=o+= |
  |        S .Eo.. +|
  |         o . . o |
  |        . . . o .|
  |           . o   |
  |            .    |
  +----[SHA256]-----+
  $ ssh-copy-id ada@login.cluster.example
  /usr/bin/ssh-copy-id: INFO: Source of key(s) to be installed: "/home/ada/.ssh/id_ed25519.pub"
  /usr/bin/ssh-copy-id: INFO: attempting to log in with the new key(s), to filter out any that are already installed
  /usr/bin/ssh-copy-id: INFO: 1 key(s) remain to be installed -- if you are prompted now it is to install the new keys
  ada@login.cluster.example's password: 
  
  Number of key(s) added: 1
  
  Now try logging into the machine, with:   "ssh 'ada@login.cluster.example'"
  and check to make sure that only the key(s) you wanted were added.
  
  $ ssh ada@login.cluster.example hostname
  Enter passphrase for key '/home/ada/.ssh/id_ed25519': 
  login1
