# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
Two commands on the practice laptop.

  $ workshop() { command workshop "$@" < /dev/null; }
#show
  $ workshop ssh hostname
  laptop
  $ workshop ssh whoami
  ada
