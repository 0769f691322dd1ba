# recorded 2026-11-29 with torch 2.14.1
A profiler's trace of three steps in the middle of a training, and the steps that are in it.

  $ python scripts/train/ddp_fast.py --epochs 1 --name profiled --profile-at 5 | grep trace
  trace of 3 steps: runs/profiled/trace-5.json
  $ grep --only-matching 'ProfilerStep#[0-9]*' runs/profiled/trace-5.json | sort --unique
  ProfilerStep#5
  ProfilerStep#6
  ProfilerStep#7
