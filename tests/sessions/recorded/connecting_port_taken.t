# recorded 2026-11-28 with OpenSSH 9.2
Needs: ssh.
Two ways in which a forwarded port does not work.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/waits.bash"
  $ set_up; ssh -f -N -L 8888:c1:8888 cluster
  $ ssh() { command ssh "$@" < /dev/null 2>&1 | sed -u 's|\r||' | tee said; return "${PIPESTATUS[0]}"; }
  $ curl() { wait_lines 1 ":22C3 .* 0A " /proc/net/tcp; command curl "$@" 2> error; code=$?; wait_lines 1 "open failed" said; cat error; return $code; }
#show
  $ ssh -f -N -L 8888:c1:8888 -o ExitOnForwardFailure=yes cluster
  bind [127.0.0.1]:8888: Address already in use
  channel_setup_fwd_listener_tcpip: cannot listen to port: 8888
  Could not request local forwarding.
  [255]
  $ ssh -N -L 8899:c1:9999 cluster &
  $ curl -sS http://localhost:8899/
  channel 2: open failed: connect failed: Connection refused
  curl: (56) Recv failure: Connection reset by peer
  [56]
