# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
The git server has got the public key: the test, and the clone.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/project.bash"
  $ set_up; serve_project
  $ ssh-keygen -q -t ed25519 -N "" -f "$PRACTICE_SSH/cluster/.ssh/git_key"
  $ printf '%s\n' "Host git.example.org" "    IdentityFile ~/.ssh/git_key" "    IdentitiesOnly yes" > "$PRACTICE_SSH/cluster/.ssh/config"
  $ cp "$PRACTICE_SSH/cluster/.ssh/git_key.pub" "$PRACTICE_SSH/git/.ssh/authorized_keys"
  $ exec ssh -q cluster "PS1= bash"
  $ ssh() { command ssh "$@" < /dev/null; }
#show
  $ ssh -T git@git.example.org
  Hi ada! You have logged in, but there is no shell here.
  [1]
  $ git clone git@git.example.org:digits.git
  Cloning into 'digits'...
  $ cd digits
  $ git log --oneline
  ad02a34 A classifier of digits
  $ ls scripts scripts/slurm
  scripts:
  slurm
  train
  
  scripts/slurm:
  project_sweep.sbatch
  project_train.sbatch
