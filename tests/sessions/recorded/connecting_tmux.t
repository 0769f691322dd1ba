# recorded 2026-11-29 with OpenSSH 9.2
Needs: ssh.
Typed on the practice laptop.
A program in tmux outlives the connection that started it. It prints a line every fifth of a second.

  $ ssh cluster 'cat > count.sh' <<'END'
  > for i in {1..20}; do echo "step $i"; sleep 0.2; done; sleep 600
  > END
  $ ssh cluster tmux new-session -d -s work bash count.sh
  $ ssh cluster tmux list-sessions
  work: 1 windows (created Sun Nov 29 18:24:06 2026)
  $ ssh cluster tmux capture-pane -p -t work | head -3
  step 1
  step 2
  step 3
  $ ssh cluster tmux kill-session -t work
