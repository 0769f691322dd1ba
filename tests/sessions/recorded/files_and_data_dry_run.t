# recorded 2026-11-28 without a scheduler
What --delete would take away, seen before it does; then a copy of the code alone, and a second one that has nothing to do.

  $ mkdir --parents project/.git project/data cluster/project/runs/7
  $ echo 'print("trained")' > project/main.py; touch project/.git/HEAD project/data/digits.tar cluster/project/runs/7/metrics.jsonl
  $ touch --date=2026-01-01 cluster/project
#show
  $ rsync --archive --delete --dry-run --itemize-changes project/ cluster/project
  *deleting   runs/7/metrics.jsonl
  *deleting   runs/7/
  *deleting   runs/
  .d..t...... ./
  >f+++++++++ main.py
  cd+++++++++ .git/
  >f+++++++++ .git/HEAD
  cd+++++++++ data/
  >f+++++++++ data/digits.tar
  $ rsync --archive --exclude=.git --exclude=/data --exclude=/runs --itemize-changes project/ cluster/project
  .d..t...... ./
  >f+++++++++ main.py
  $ rsync --archive --exclude=.git --exclude=/data --exclude=/runs --itemize-changes project/ cluster/project
  $ ls cluster/project
  main.py
  runs
