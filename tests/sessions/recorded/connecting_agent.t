# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
The agent: the passphrase once, then never again until the agent ends.

  $ eval "$(ssh-agent)"
  Agent pid 79
  $ ssh-add
  Enter passphrase for /home/ada/.ssh/id_ed25519: 
  Identity added: /home/ada/.ssh/id_ed25519 (ada@laptop)
  $ ssh ada@login.cluster.example hostname
  login1
  $ ssh-add -l
  256 SHA256:xTA2nfNGsdqKEV2cYGkx9vvi1cQMS02XsJeCHtJfiOk ada@laptop (ED25519)
