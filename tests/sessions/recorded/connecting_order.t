# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
The order of the blocks in ssh's configuration, and what it makes of three names.

  $ cat >> ~/.ssh/config <<'END'
  > Host files
  >     HostName transfer.cluster.example
  >     User ada-files
  > 
  > Host login?
  >     HostName %h.cluster.example
  > 
  > Host files login?
  >     IdentityFile ~/.ssh/id_ed25519
  >     IdentitiesOnly yes
  > 
  > Host *
  >     User ada
  >     ServerAliveInterval 60
  > END
  $ show='^(user|hostname|identitiesonly|serveraliveinterval) '
  $ ssh -G files | grep -E "$show"
  user ada-files
  hostname transfer.cluster.example
  identitiesonly yes
  serveraliveinterval 60
  $ ssh -G login2 | grep -E "$show"
  user ada
  hostname login2.cluster.example
  identitiesonly yes
  serveraliveinterval 60
  $ ssh -G github.com | grep -E "$show"
  user ada
  hostname github.com
  identitiesonly no
  serveraliveinterval 60
