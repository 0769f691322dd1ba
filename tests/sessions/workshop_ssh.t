Needs: ssh.
Two commands on the practice laptop.

  $ workshop ssh hostname
  laptop
  $ workshop ssh whoami
  ada
