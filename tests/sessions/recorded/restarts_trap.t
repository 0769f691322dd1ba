# recorded 2026-11-28 without a scheduler
Bash runs a trap only when the command in the foreground has ended. Both scripts are sent USR1 after one second, and
not before they wait for their program.

  $ . "$REPO/tests/sessions/waits.bash"
  $ kill() { wait_shell $2 ${1#-}; command kill "$@"; }
#show
  $ cat > foreground.sh <<'EOF'
  > trap 'echo "$SECONDS s: saving"' USR1
  > python3 -c "import time; time.sleep(6)"
  > echo "$SECONDS s: end"
  > EOF
  $ bash foreground.sh & sleep 1; kill -USR1 $!; wait $!
  7 s: saving
  7 s: end
  $ sed 's/^python3.*/& \& wait/' foreground.sh > background.sh
  $ cat background.sh
  trap 'echo "$SECONDS s: saving"' USR1
  python3 -c "import time; time.sleep(6)" & wait
  echo "$SECONDS s: end"
  $ bash background.sh & sleep 1; kill -USR1 $!; wait $!
  1 s: saving
  1 s: end
