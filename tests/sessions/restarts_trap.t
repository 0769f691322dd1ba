Bash runs a trap only when the command in the foreground has ended. Both scripts are sent USR1 two seconds
after their start, when they wait for their program; that one lasts six.

  $ cat > foreground.sh <<'EOF'
  > trap 'echo "$SECONDS s: saving"' USR1
  > python3 -c "import time; time.sleep(6)"
  > echo "$SECONDS s: end"
  > EOF
  $ bash foreground.sh & sleep 2; kill -USR1 $!; wait $!
  ([6-9]|\d\d) s: saving (re)
  ([6-9]|\d\d) s: end (re)
  $ sed 's/^python3.*/& \& wait/' foreground.sh > background.sh
  $ cat background.sh
  trap 'echo "$SECONDS s: saving"' USR1
  python3 -c "import time; time.sleep(6)" & wait
  echo "$SECONDS s: end"
  $ bash background.sh & sleep 2; kill -USR1 $!; wait $!
  [1-5] s: saving (re)
  [1-5] s: end (re)
