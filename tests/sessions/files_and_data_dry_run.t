What --delete would take away, seen before it does; then a copy of the code alone, and a second one that has nothing
to do.

  $ mkdir --parents digits/.git digits/data cluster/digits/runs/7
  $ echo 'print("trained")' > digits/main.py
  $ touch digits/.git/HEAD digits/data/digits.tar cluster/digits/runs/7/metrics.jsonl
  $ touch --date=2026-01-01 cluster/digits
  $ rsync --archive --delete --dry-run --itemize-changes digits/ cluster/digits
  \*deleting   runs/7/metrics.jsonl (re)
  \*deleting   runs/7/ (re)
  \*deleting   runs/ (re)
  .d\S+ \./ (re)
  >f+++++++++ main.py
  cd+++++++++ .git/
  >f+++++++++ .git/HEAD
  cd+++++++++ data/
  >f+++++++++ data/digits.tar
  $ rsync --archive --exclude=.git --exclude=/data --exclude=/runs --itemize-changes digits/ cluster/digits
  .d\S+ \./ (re)
  >f+++++++++ main.py
  $ rsync --archive --exclude=.git --exclude=/data --exclude=/runs --itemize-changes digits/ cluster/digits
  $ ls cluster/digits
  main.py
  runs
