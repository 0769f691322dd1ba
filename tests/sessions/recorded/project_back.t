# recorded 2026-11-28 with OpenSSH 9.2
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
  f57cf2f/
  f57cf2f/train-17/
  f57cf2f/train-17/config.json
  f57cf2f/train-17/events.out.tfevents.1795849679.laptop.22.0
  f57cf2f/train-17/metrics.jsonl
  
  sent 113 bytes  received 1,649 bytes  3,524.00 bytes/sec
  total size is 1,284  speedup is 0.73
  $ ssh cluster 'ls digits/runs/*/train-17'
  checkpoints
  config.json
  events.out.tfevents.1795849679.laptop.22.0
  metrics.jsonl
