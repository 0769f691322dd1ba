# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
Two ways in which a forwarded port does not work.

  $ ssh -f -N -L 8888:c1:8888 -o ExitOnForwardFailure=yes cluster
  bind [127.0.0.1]:8888: Address already in use
  channel_setup_fwd_listener_tcpip: cannot listen to port: 8888
  Could not request local forwarding.
  [255]
  $ ssh -N -L 8899:c1:9999 cluster &
  $ curl -sS http://localhost:8899/
  channel 1: open failed: connect failed: Connection refused
  curl: (56) Recv failure: Connection reset by peer
  [56]
  $ kill $!
