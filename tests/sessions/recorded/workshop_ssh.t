# recorded 2026-11-30 with OpenSSH 9.2
Needs: ssh.
Two commands on the practice laptop.

  $ workshop ssh hostname
  laptop
  $ workshop ssh whoami
  ada
