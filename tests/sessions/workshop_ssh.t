Needs: ssh.
Two commands on the practice laptop.

  $ workshop() { command workshop "$@" < /dev/null; }
#show
  $ workshop ssh hostname
  laptop
  $ workshop ssh whoami
  ada
