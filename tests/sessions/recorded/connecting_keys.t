# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
A key pair with a passphrase, taken to the cluster, and the agent that keeps it open.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; rm ~/.ssh/id_ed25519*; cp "$PRACTICE_SSH/own.pub" "$PRACTICE_SSH/cluster/.ssh/authorized_keys"
  $ ssh-keygen() { typed "save the key" "" "passphrase" "four plain words here" "again" "four plain words here" -- ssh-keygen "$@"; }
  $ ssh-copy-id() { typed "password: " correct-horse -- ssh-copy-id "$@"; }
  $ ssh() { typed "passphrase" "four plain words here" -- ssh "$@"; }
  $ ssh-add() { typed "passphrase" "four plain words here" -- ssh-add "$@"; }
#show
  $ ssh-keygen -t ed25519
  Generating public/private ed25519 key pair.
  Enter file in which to save the key (/home/ada/.ssh/id_ed25519): 
  Enter passphrase (empty for no passphrase): 
  Enter same passphrase again: 
  Your identification has been saved in /home/ada/.ssh/id_ed25519
  Your public key has been saved in /home/ada/.ssh/id_ed25519.pub
  The key fingerprint is:
  SHA256:WTbv6yX3wH77mRTeQiJUnHZSUtXNQapSCbS5nTqW+0k ada@laptop
  The key's randomart image is:
  +--[ED25519 256]--+
  |        .o .o++==|
  |          +.*.o +|
  |         o=+ +   |
  |         =+oo    |
  |        So.+o .. |
  |          +o +. o|
  |         = Eo *o.|
  |        . + .*.++|
  |         ..+o .==|
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
