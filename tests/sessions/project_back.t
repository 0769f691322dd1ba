Needs: ssh.
On the laptop: the results come back, the checkpoints stay. (The run was made without a scheduler: these machines have none.)

  $ cd "$REPO" && exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/project.bash"
  $ set_up; make_project "$PRACTICE_SSH/cluster/digits"; commit=$(git -C "$PRACTICE_SSH/cluster/digits" rev-parse --short HEAD)
  $ python "$REPO/scripts/train/ddp_resume.py" --epochs 2 --runs "$PRACTICE_SSH/cluster/digits/runs/$commit" --name train-17 > "$PRACTICE_SSH/log" 2>&1
  $ mkdir digits && cd digits
#show
  $ rsync --archive --verbose --exclude=checkpoints cluster:digits/runs/ runs/
  receiving incremental file list
  created directory runs
  ./
  [0-9a-f]{7,}/ (re)
  [0-9a-f]{7,}/train-17/ (re)
  [0-9a-f]{7,}/train-17/config\.json (re)
  [0-9a-f]{7,}/train-17/events.out.tfevents.\S+ (re)
  [0-9a-f]{7,}/train-17/metrics\.jsonl (re)
  
  sent \S+ bytes  received \S+ bytes  \S+ bytes/sec (re)
  total size is \S+  speedup is \S+ (re)
  $ ssh cluster 'ls digits/runs/*/train-17'
  checkpoints
  config.json
  events.out.tfevents.\S+ (re)
  metrics.jsonl
