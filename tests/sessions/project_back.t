Needs: ssh.
On the laptop: the results come back, the checkpoints stay. (The run was made without a scheduler: these machines have none.)

  $ cd "$REPO" && exec python -m workshop ssh bash
  $ . "$REPO/tests/sessions/connecting.bash"; . "$REPO/tests/sessions/project.bash"
  $ set_up; mkdir --parents "$PRACTICE_SSH/cluster/digits"
  $ python "$REPO/scripts/train/ddp_resume.py" --epochs 2 --runs "$PRACTICE_SSH/cluster/digits/runs/4f0c2d1" --name train-17 > "$PRACTICE_SSH/log" 2>&1
  $ mkdir digits && cd digits
#show
  $ rsync --archive --verbose --exclude=checkpoints cluster:digits/runs/ runs/
  receiving incremental file list
  created directory runs
  ./
  4f0c2d1/
  4f0c2d1/train-17/
  4f0c2d1/train-17/config.json
  4f0c2d1/train-17/events.out.tfevents.\S+ (re)
  4f0c2d1/train-17/metrics.jsonl
  
  sent \S+ bytes  received \S+ bytes  \S+ bytes/sec (re)
  total size is \S+  speedup is \S+ (re)
  $ ssh cluster ls digits/runs/4f0c2d1/train-17
  checkpoints
  config.json
  events.out.tfevents.\S+ (re)
  metrics.jsonl
