# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
A web server on a compute node, seen from the laptop through a forwarded port.

  $ ssh c1 'mkdir site; echo "losses of run 7" > site/index.html'
  $ ssh c1 'cd site; nohup python3 -m http.server -b c1 8888 > /dev/null 2>&1 &'
  $ curl -sS http://localhost:8888/
  curl: (7) Failed to connect to localhost port 8888 after 0 ms: Couldn't connect to server
  [7]
  $ ssh -f -N -L 8888:c1:8888 cluster
  $ curl -sS http://localhost:8888/
  losses of run 7
