The same, with a snapshot of the code: the job runs what was committed, and its log names the commit.

  $ . "$REPO/tests/sessions/waits.bash"
  $ echo 'print("program: as submitted")' > main.py
  $ printf '%s\n' '#!/bin/bash' '#SBATCH --output=log-%j.out' 'echo "commit:  $COMMIT"' 'python main.py' > job.sbatch
  $ git init --quiet . && git add main.py job.sbatch && git -c user.name=me -c user.email=me@example.org commit --quiet --message=first
  $ cat() { wait_ended --jobs=$job; command cat "$@"; }
#show
  $ commit=$(git rev-parse --short HEAD)
  $ mkdir --parents snapshots/$commit
  $ git archive HEAD | tar --extract --directory=snapshots/$commit
  $ job=$(sbatch --parsable --hold --chdir=snapshots/$commit --export=ALL,COMMIT=$commit job.sbatch)
  $ sed --in-place 's/as submitted/edited later/' main.py
  $ scontrol release $job
  $ cat snapshots/$commit/log-$job.out
  commit:  [0-9a-f]+ (re)
  program: as submitted
