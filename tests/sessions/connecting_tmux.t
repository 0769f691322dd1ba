Needs: ssh.
A program in tmux outlives the connection that started it. It prints a line every fifth of a second.

  $ exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/waits.bash"
  $ set_up; echo 'for i in {1..20}; do echo "step $i"; sleep 0.2; done; sleep 600' > "$PRACTICE_SSH/cluster/count.sh"
  $ echo 'set -g default-command "bash --norc"' > "$PRACTICE_SSH/cluster/.tmux.conf"
  $ ssh() { case "$*" in *capture-pane*) wait_until "five steps" on_login1 'tmux capture-pane -p -t work | grep -q "step 5"' ;; esac; command ssh -n "$@"; }
#show
  $ ssh cluster tmux new-session -d -s work bash count.sh
  $ ssh cluster tmux list-sessions
  work: 1 windows \(created .*\) (re)
  $ ssh cluster tmux capture-pane -p -t work | head -3
  step 1
  step 2
  step 3
  $ ssh cluster tmux kill-session -t work
