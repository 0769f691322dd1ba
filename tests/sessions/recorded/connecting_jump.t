# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
A compute node has a name inside the cluster only: ssh goes there by way of the login node.

  $ ssh c1 hostname
  ssh: Could not resolve hostname c1: Name or service not known
  [255]
  $ cat >> ~/.ssh/config <<'END'
  > 
  > Host c1
  >     User ada
  >     ProxyJump cluster
  > END
  $ ssh c1 hostname
  The authenticity of host 'c1 (<no hostip for proxy command>)' can't be established.
  ED25519 key fingerprint is SHA256:n2sqVrvaVSulfgg1pPMyNJAlsRZaDYRWylVjLle5b98.
  This key is not known by any other names.
  Are you sure you want to continue connecting (yes/no/[fingerprint])? yes
  Warning: Permanently added 'c1' (ED25519) to the list of known hosts.
  c1
