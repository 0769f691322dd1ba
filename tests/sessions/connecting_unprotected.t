Needs: ssh.
A private key that others may read is not used.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; chmod 644 ~/.ssh/id_ed25519
  $ sed -i "s/^PasswordAuthentication yes/PasswordAuthentication no/" "$PRACTICE_SSH/sshd-login1"
#show
  $ ssh cluster hostname
  @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
  @         WARNING: UNPROTECTED PRIVATE KEY FILE!          @
  @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
  Permissions 0644 for '/home/ada/.ssh/id_ed25519' are too open.
  It is required that your private key files are NOT accessible by others.
  This private key will be ignored.
  Load key "/home/ada/.ssh/id_ed25519": bad permissions
  ada@login.cluster.example: Permission denied (publickey).
  [255]
  $ chmod 600 ~/.ssh/id_ed25519
  $ ssh cluster hostname
  login1
