Needs: ssh.
A web server on a compute node, seen from the laptop through a forwarded port.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/waits.bash"
  $ set_up; mkdir "$PRACTICE_SSH/cluster/site"; echo "losses of run 7" > "$PRACTICE_SSH/cluster/site/index.html"
  $ cp "$PRACTICE_SSH/own" "$PRACTICE_SSH/cluster/.ssh/id_ed25519"
  $ on_login1 "ssh -o StrictHostKeyChecking=no c1 'cd site; nohup python3 -m http.server --bind 192.0.2.12 8888 > /dev/null 2>&1 &'" 2> /dev/null
  $ wait_until "a web server on c1" on_login1 'exec 3<> /dev/tcp/c1/8888' 2> /dev/null
  $ curl() { command curl "$@" 2>&1 | sed -E "s/ after [0-9]+ ms//"; return "${PIPESTATUS[0]}"; }
#show
  $ curl -sS http://localhost:8888/
  curl: \(7\) Failed to connect to localhost port 8888: Could.* connect to server (re)
  [7]
  $ ssh -f -N -L 8888:c1:8888 cluster
  $ curl -sS http://localhost:8888/
  losses of run 7
