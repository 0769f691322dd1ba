# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
The agent: the passphrase once, then never again until the agent ends.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"
  $ set_up; ssh-keygen -q -p -P "" -N "four plain words here" -f ~/.ssh/id_ed25519 > /dev/null
  $ ssh-add() { typed "passphrase" "four plain words here" -- ssh-add "$@"; }
#show
  $ eval "$(ssh-agent)"
  Agent pid 14
  $ ssh-add
  Enter passphrase for /home/ada/.ssh/id_ed25519: 
  Identity added: /home/ada/.ssh/id_ed25519 (ada@laptop)
  $ ssh ada@login.cluster.example hostname
  login1
  $ ssh-add -l
  256 SHA256:iMcEcErpfgTtMvAkzdJgtZbUaC/1iiZZ+86hzMA8S4E ada@laptop (ED25519)
