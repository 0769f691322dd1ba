# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
A site that takes keys only. The key has another name than those that ssh tries by itself.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; mv ~/.ssh/id_ed25519 ~/.ssh/cluster_key; mv ~/.ssh/id_ed25519.pub ~/.ssh/cluster_key.pub
  $ sed -i "s/^PasswordAuthentication yes/PasswordAuthentication no/" "$PRACTICE_SSH/sshd-login1"
#show
  $ ssh cluster hostname
  ada@login.cluster.example: Permission denied (publickey).
  [255]
  $ ls ~/.ssh
  cluster_key
  cluster_key.pub
  config
  known_hosts
  $ ssh -v cluster hostname 2>&1 | grep -E "attempt key:.*(rsa|ed25519) |denied"
  debug1: Will attempt key: /home/ada/.ssh/id_rsa 
  debug1: Will attempt key: /home/ada/.ssh/id_ed25519 
  ada@login.cluster.example: Permission denied (publickey).
  $ echo "    IdentityFile ~/.ssh/cluster_key" >> ~/.ssh/config
  $ ssh cluster hostname
  login1
