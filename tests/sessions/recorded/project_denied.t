# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
On the login node: the git server does not know it. A key for this one purpose, and its public half to hand in.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/project.bash"
  $ set_up; serve_project
  $ exec ssh -q cluster "PS1= bash"
  $ git() { command git "$@" 2>&1 | sed -u 's|\r||'; return "${PIPESTATUS[0]}"; }  # ssh ends its lines with one
#show
  $ hostname
  login1
  $ git clone git@git.example.org:digits.git
  Cloning into 'digits'...
  git@git.example.org: Permission denied (publickey).
  fatal: Could not read from remote repository.
  
  Please make sure you have the correct access rights
  and the repository exists.
  [128]
  $ ssh-keygen -q -t ed25519 -N "" -C "digits on the cluster" -f ~/.ssh/git_key
  $ printf '%s\n' "Host git.example.org" "    IdentityFile ~/.ssh/git_key" "    IdentitiesOnly yes" >> ~/.ssh/config
  $ cat ~/.ssh/git_key.pub
  ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRufab72OLRCB3GnSUyTLgyXFJKR82Zmj7yVYYJUbXr digits on the cluster
