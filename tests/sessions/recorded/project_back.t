# recorded 2026-11-28 with OpenSSH 9.2
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
  4f0c2d1/train-17/events.out.tfevents.1795847427.laptop.13.0
  4f0c2d1/train-17/metrics.jsonl
  
  sent 113 bytes  received 1,652 bytes  1,176.67 bytes/sec
  total size is 1,284  speedup is 0.73
  $ ssh cluster ls digits/runs/4f0c2d1/train-17
  checkpoints
  config.json
  events.out.tfevents.1795847427.laptop.13.0
  metrics.jsonl
