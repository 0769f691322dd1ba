# recorded 2026-11-28 with slurm-wlm 22.05.8 and torch 2.14.1
A sweep whose logs go to a folder that is not there.

  $ . "$REPO/tests/sessions/waits.bash"; . "$REPO/tests/sessions/project.bash"
  $ make_project digits; cd digits; ln -s "$REPO/.venv" .venv
  $ python scripts/train/make_archive.py data/digits.tar > made
  $ squeue() { wait_ended --jobs=$job; command squeue "$@"; }
#show
  $ job=$(sbatch --parsable --output=logs/%x-%A_%a.out scripts/slurm/project_sweep.sbatch)
  $ squeue --jobs=$job --noheader
  $ ls logs runs
  ls: cannot access 'logs': No such file or directory
  ls: cannot access 'runs': No such file or directory
  [2]
  $ scontrol show job $job | grep -oE "JobState=\S+ Reason=\S+" | sort | uniq --count
        6 JobState=FAILED Reason=JobLaunchFailure
